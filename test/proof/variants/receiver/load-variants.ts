import { setTimeout as sleep } from 'node:timers/promises';

import { NoResponse } from '@hookproof/conformance';
import { headerValue } from '@hookproof/conformance/hooks';
import type { Incoming } from '@hookproof/conformance/hooks';
import { perRun, variant } from '@hookproof/conformance/proof/kit/defect';
import type { Open, Variant } from '@hookproof/conformance/proof/kit/defect';
import { respond } from '@hookproof/conformance/proof/kit/message';
import { eventOf, isDelivery, onRequest } from '@hookproof/conformance/proof/kit/receiver';

const RETRIED = 'delivery.retry.schedule';
const RESET = 'delivery.at-least-once';
const QUICKLY = 'receiver.answers-quickly';

/** Receivers under load: the contract's sender tries again, signed afresh. */
export const loadVariants: readonly Variant[] = [
  ...[408, 425, 429, 500, 502, 503, 504, 599].map((status) =>
    variant({
      id: `sheds-with-${status}`,
      takes: RETRIED,
      does: `Responds ${status} to 5 % of the deliveries.`,
      receiver: byChance(0.05, () => respond(status)),
    }),
  ),
  ...[429, 503].map((status) =>
    variant({
      id: `sheds-with-${status}-and-retry-after`,
      takes: RETRIED,
      does: `Responds ${status} with Retry-After: 1 to 1 % of the deliveries.`,
      receiver: byChance(0.01, () => respond(status, undefined, [['retry-after', '1']])),
    }),
  ),
  variant({
    id: 'retry-after-as-date',
    takes: RETRIED,
    does: 'Responds 503 with a date as Retry-After to 1 % of the deliveries.',
    receiver: byChance(0.01, () =>
      respond(503, undefined, [['retry-after', new Date(Date.now() + 1_000).toUTCString()]]),
    ),
  }),
  variant({
    id: 'sheds-with-reset',
    takes: RESET,
    does: 'Closes the connection of 5 % of the deliveries.',
    receiver: byChance(0.05, closed),
  }),
  ...[429, 500, 503].map((status) =>
    variant({
      id: `first-attempt-${status}`,
      takes: RETRIED,
      does: `Responds ${status} to the first attempt of each event.`,
      receiver: onFirstAttempt(() => respond(status)),
    }),
  ),
  variant({
    id: 'first-attempt-reset',
    takes: RESET,
    does: 'Closes the connection of the first attempt of each event.',
    receiver: onFirstAttempt(closed),
  }),
  variant({
    id: 'limit-20-a-second',
    takes: RETRIED,
    does: 'Responds 429 above 20 deliveries a second.',
    receiver: atMost(20, 1_000, () => respond(429, undefined, [['retry-after', '1']])),
  }),
  variant({
    id: 'limit-10-in-100-ms',
    takes: RETRIED,
    does: 'Responds 429 without Retry-After above 10 deliveries in 100 ms.',
    receiver: atMost(10, 100, () => respond(429)),
  }),
  variant({
    id: 'simultaneous-duplicate-busy',
    takes: RETRIED,
    does: 'Responds 503 to a delivery of an event that it is accepting.',
    receiver: () => {
      const inProgress = new Set<string>();
      return {
        receiver: async (request, next) => {
          const id = isDelivery(request) ? eventOf(request)?.id : undefined;
          if (id === undefined) return next(request);
          if (inProgress.has(id)) return respond(503);
          inProgress.add(id);
          return next(request).finally(() => inProgress.delete(id));
        },
      };
    },
  }),
  variant({
    id: 'waits-for-the-creation',
    takes: RETRIED,
    does: 'Responds 503 to a change until the creation of its run has arrived.',
    receiver: perRun(() => {
      const created = new Set<unknown>();
      return onRequest((_request, event) => {
        if (event === null || event.test) return null;
        const run = event.run['id'];
        if (event.type === 'run.created') created.add(run);
        return created.has(run) ? null : respond(503);
      });
    }),
  }),
  variant({
    id: 'slow-50-ms',
    takes: QUICKLY,
    does: 'Takes 50 ms for each response.',
    receiver: slow(() => 50),
  }),
  variant({
    id: 'slow-by-chance',
    takes: QUICKLY,
    does: 'Takes up to 100 ms for each response.',
    receiver: perRun(({ random }) => slow(() => random() * 100)),
  }),
  variant({
    id: 'cold-start',
    takes: QUICKLY,
    does: 'Takes 3 s for its first response.',
    receiver: () => {
      let isWarm = false;
      return {
        receiver: async (request, next) => {
          if (isWarm) return next(request);
          isWarm = true;
          const response = await next(request);
          await sleep(3_000);
          return response;
        },
      };
    },
  }),
];

function closed(): Promise<Incoming> {
  return Promise.reject(new NoResponse('the connection was closed'));
}

function byChance(share: number, refuse: () => Incoming | Promise<Incoming>): Open {
  return perRun(({ random }) => onRequest(() => (random() < share ? refuse() : null)));
}

/** Refuses the first delivery of each event. */
function onFirstAttempt(refuse: () => Incoming | Promise<Incoming>): Open {
  return perRun(() => {
    const known = new Set<string>();
    return onRequest(({ headers }) => {
      const id = headerValue(headers, 'webhook-id') ?? '';
      if (known.has(id)) return null;
      known.add(id);
      return refuse();
    });
  });
}

function atMost(deliveries: number, milliseconds: number, refuse: () => Incoming): Open {
  return perRun(() => {
    let times: number[] = [];
    return onRequest(() => {
      const now = performance.now();
      times = times.filter((time) => now - time < milliseconds);
      if (times.length >= deliveries) return refuse();
      times.push(now);
      return null;
    });
  });
}

function slow(milliseconds: () => number): Open {
  return onRequest(async () => {
    await sleep(milliseconds());
    return null;
  });
}
