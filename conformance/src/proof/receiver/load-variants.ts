import { setTimeout as sleep } from 'node:timers/promises';

import { headerValue } from '../../http/message.ts';
import type { Incoming, Outgoing } from '../../http/message.ts';
import { NoResponse } from '../../verdict/findings.ts';
import { respond } from '../edit.ts';
import type { Knowledge } from '../knowledge.ts';
import type { Variant } from '../transformation.ts';
import { eventOf, isDelivery } from './arrival.ts';
import { beforehand } from './responding.ts';

const RETRIED = 'delivery.retry.schedule';
const SHARE = 0.05;

/** Receivers under load: the contract's sender tries again, signed afresh. */
export const loadVariants: readonly Variant[] = [
  ...[408, 425, 429, 500, 502, 503, 504, 599].map((status) =>
    beforehand(
      {
        id: `sheds-with-${status}`,
        does: `Responds ${status} to 5 % of the deliveries.`,
        takes: RETRIED,
      },
      ({ random }) =>
        () =>
          random() < SHARE ? respond(status) : null,
    ),
  ),
  ...[429, 503].map((status) =>
    beforehand(
      {
        id: `sheds-with-${status}-and-retry-after`,
        does: `Responds ${status} with Retry-After: 1 to 1 % of the deliveries.`,
        takes: RETRIED,
      },
      ({ random }) =>
        () =>
          random() < 0.01 ? respond(status, undefined, [['retry-after', '1']]) : null,
    ),
  ),
  beforehand(
    {
      id: 'retry-after-as-date',
      does: 'Responds 503 with a date as Retry-After to 1 % of the deliveries.',
      takes: RETRIED,
    },
    ({ random }) =>
      () => {
        const date = new Date(Date.now() + 1_000).toUTCString();
        return random() < 0.01 ? respond(503, undefined, [['retry-after', date]]) : null;
      },
  ),
  beforehand(
    {
      id: 'sheds-with-reset',
      does: 'Closes the connection of 5 % of the deliveries.',
      takes: 'delivery.at-least-once',
    },
    ({ random }) =>
      () =>
        random() < SHARE ? closed() : null,
  ),
  ...[429, 500, 503].map((status) =>
    beforehand(
      {
        id: `first-attempt-${status}`,
        does: `Responds ${status} to the first attempt of each event.`,
        takes: RETRIED,
      },
      () => firstAttempt(() => respond(status)),
    ),
  ),
  beforehand(
    {
      id: 'first-attempt-reset',
      does: 'Closes the connection of the first attempt of each event.',
      takes: 'delivery.at-least-once',
    },
    () => firstAttempt(closed),
  ),
  beforehand(
    {
      id: 'limit-20-a-second',
      does: 'Responds 429 above 20 deliveries in a second.',
      takes: 'delivery.retry.schedule',
    },
    () => limit(20, 1_000),
  ),
  beforehand(
    {
      id: 'limit-10-in-100-ms',
      does: 'Responds 429 without Retry-After above 10 deliveries in 100 ms.',
      takes: 'delivery.retry.schedule',
    },
    () => limit(10, 100),
  ),
  duplicateBusy(),
  slow('slow-50-ms', 'Takes 50 ms for each response.', () => 50),
  slow('slow-by-chance', 'Takes up to 100 ms for each response.', ({ random }) => random() * 100),
  coldStart(),
];

function closed(): Promise<Incoming> {
  return Promise.reject(new NoResponse('the connection was closed'));
}

/** Refuses the first request with each combination of id, timestamp and body. */
function firstAttempt(refuse: () => Incoming | Promise<Incoming>) {
  const known = new Set<string>();
  return (request: Outgoing): Incoming | Promise<Incoming> | null => {
    const id = headerValue(request.headers, 'webhook-id') ?? '';
    if (known.has(id)) return null;
    known.add(id);
    return refuse();
  };
}

function limit(deliveries: number, milliseconds: number) {
  let times: number[] = [];
  return (): Incoming | null => {
    const now = performance.now();
    times = times.filter((time) => now - time < milliseconds);
    if (times.length < deliveries) {
      times.push(now);
      return null;
    }
    const wait = milliseconds < 1_000 ? [] : [['retry-after', '1'] as const];
    return respond(429, undefined, wait);
  };
}

/** A lock on the event: the second delivery is asked to come again. */
function duplicateBusy(): Variant {
  return {
    id: 'simultaneous-duplicate-busy',
    side: 'receiver',
    does: 'Responds 503 to a delivery of an event that it is accepting.',
    takes: RETRIED,
    open: () => {
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
  };
}

function slow(id: string, does: string, wait: (knowledge: Knowledge) => number): Variant {
  return beforehand({ id, does, takes: 'receiver.answers-quickly' }, (knowledge) => async () => {
    await sleep(wait(knowledge));
    return null;
  });
}

function coldStart(): Variant {
  return {
    id: 'cold-start',
    side: 'receiver',
    does: 'Takes 3 s for its first response.',
    takes: 'receiver.answers-quickly',
    open: () => {
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
  };
}
