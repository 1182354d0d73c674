import { setTimeout as sleep } from 'node:timers/promises';

import type { Outgoing } from '@hookproof/conformance/hooks';
import { perRun, variant } from '@hookproof/conformance/proof/kit/defect';
import type { Open, Variant } from '@hookproof/conformance/proof/kit/defect';
import { between, isCreated } from '@hookproof/conformance/proof/kit/sender';

const DUPLICATES = 'delivery.duplicates';
const AT_LEAST_ONCE = 'delivery.at-least-once';
const ORDER = 'delivery.order';

/** How often, in which order and how late deliveries arrive. */
export const arrivalVariants: readonly Variant[] = [
  variant({
    id: 'deliveries-twice',
    takes: DUPLICATES,
    does: 'Sends every request twice at once.',
    sender: between(async (request, next) => {
      const [first] = await Promise.all([next(request), next(request)]);
      return first;
    }),
  }),
  variant({
    id: 'deliveries-twice-last-counts',
    takes: DUPLICATES,
    does: 'Sends every request twice, and reads the second response.',
    sender: between(async (request, next) => {
      await next(request);
      return next(request);
    }),
  }),
  variant({
    id: 'deliveries-thrice',
    takes: DUPLICATES,
    does: 'Sends every request three times.',
    sender: between(async (request, next) => {
      await next(request);
      await next(request);
      return next(request);
    }),
  }),
  variant({
    id: 'deliveries-again-after-success',
    takes: DUPLICATES,
    does: 'Sends each accepted event once more.',
    sender: between(async (request, next, { attempt }) => {
      const response = await next(request);
      if (attempt === 1 && response.status < 300) await next(request);
      return response;
    }),
  }),
  variant({
    id: 'deliveries-again-later',
    takes: DUPLICATES,
    does: 'Sends the first attempt of each event again before its second one.',
    sender: perRun(() => {
      const firsts = new Map<string, Outgoing>();
      return between(async (request, next, { event, attempt }) => {
        const key = `${String(event['id'])} ${request.url}`;
        if (attempt === 1) firsts.set(key, request);
        const first = firsts.get(key);
        if (attempt === 2 && first !== undefined) await next(first);
        return next(request);
      });
    }),
  }),
  variant({
    id: 'creations-twice',
    takes: DUPLICATES,
    does: 'Sends every run.created twice.',
    sender: between(async (request, next, seen) => {
      if (isCreated(seen)) await next(request);
      return next(request);
    }),
  }),
  ...[2, 5, 10, 30].map((percent) =>
    variant({
      id: `duplicates-${percent}-percent`,
      takes: DUPLICATES,
      does: `Sends ${percent} % of the requests twice.`,
      sender: between(async (request, next, { knowledge }) => {
        if (knowledge.random() * 100 < percent) await next(request);
        return next(request);
      }),
    }),
  ),
  variant({
    id: 'responses-lost-once',
    takes: AT_LEAST_ONCE,
    does: 'Loses the response to the first attempt of each event.',
    sender: between(async (request, next, { attempt }) => {
      const response = await next(request);
      return attempt === 1 ? lost() : response;
    }),
  }),
  variant({
    id: 'requests-lost-once',
    takes: AT_LEAST_ONCE,
    does: 'Loses the first request of each event.',
    sender: between((request, next, { attempt }) => (attempt === 1 ? lost() : next(request))),
  }),
  ...[2, 10].flatMap((percent) => [
    variant({
      id: `responses-lost-${percent}-percent`,
      takes: AT_LEAST_ONCE,
      does: `Loses ${percent} % of the responses.`,
      sender: between(async (request, next, { knowledge }) => {
        const response = await next(request);
        return knowledge.random() * 100 < percent ? lost() : response;
      }),
    }),
    variant({
      id: `requests-lost-${percent}-percent`,
      takes: AT_LEAST_ONCE,
      does: `Loses ${percent} % of the requests.`,
      sender: between((request, next, { knowledge }) =>
        knowledge.random() * 100 < percent ? lost() : next(request),
      ),
    }),
  ]),
  variant({
    id: 'first-retry-at-once',
    takes: 'delivery.retry.schedule',
    does: 'Makes the second attempt at once, and the others by schedule.',
    sender: between(async (request, next, { attempt }) => {
      const response = await next(request);
      return attempt === 1 && response.status >= 500 ? next(request) : response;
    }),
  }),
  ...[1, 5, 20].map((milliseconds) =>
    variant({
      id: `deliveries-${milliseconds}-ms-late`,
      takes: ORDER,
      does: `Delivers up to ${milliseconds} ms late.`,
      sender: between(async (request, next, { knowledge }) => {
        await sleep(knowledge.random() * milliseconds);
        return next(request);
      }),
    }),
  ),
  variant({
    id: 'creations-late',
    takes: ORDER,
    does: 'Delivers run.created after other events.',
    sender: between(async (request, next, seen) => {
      if (isCreated(seen)) await sleep(15);
      return next(request);
    }),
  }),
  variant({
    id: 'changes-late',
    takes: ORDER,
    does: 'Delivers status changes after other events.',
    sender: between(async (request, next, seen) => {
      if (!isCreated(seen)) await sleep(15);
      return next(request);
    }),
  }),
  variant({
    id: 'every-third-late',
    takes: ORDER,
    does: 'Delivers every third request late.',
    sender: everyThirdLate(),
  }),
];

function lost(): Promise<never> {
  return Promise.reject(new Error('it was lost on its way'));
}

function everyThirdLate(): Open {
  return perRun(() => {
    let count = 0;
    return between(async (request, next) => {
      count += 1;
      if (count % 3 === 0) await sleep(10);
      return next(request);
    });
  });
}
