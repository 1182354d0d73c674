import type { Between, Next } from '../../http/between.ts';
import type { Incoming, Outgoing } from '../../http/message.ts';
import type { Knowledge } from '../knowledge.ts';
import type { Variant } from '../kit/defect.ts';
import { isCreated, Watch } from './alter.ts';
import type { Seen } from './alter.ts';

type Pass = (request: Outgoing, next: Next, seen: Seen) => Promise<Incoming>;

const DUPLICATES = 'delivery.duplicates';
const AT_LEAST_ONCE = 'delivery.at-least-once';
const ORDER = 'delivery.order';

/** How often, in which order and how late deliveries arrive. */
export const arrivalVariants: readonly Variant[] = [
  passing(
    'deliveries-twice',
    'Sends every request twice at once.',
    DUPLICATES,
    async (request, next) => {
      const [first] = await Promise.all([next(request), next(request)]);
      return first;
    },
  ),
  passing(
    'deliveries-twice-last-counts',
    'Sends every request twice, and takes the second response.',
    DUPLICATES,
    async (request, next) => {
      await next(request);
      return next(request);
    },
  ),
  passing(
    'deliveries-thrice',
    'Sends every request three times.',
    DUPLICATES,
    async (request, next) => {
      await next(request);
      await next(request);
      return next(request);
    },
  ),
  passing(
    'deliveries-again-after-success',
    'Sends each accepted event once more.',
    DUPLICATES,
    async (request, next, { attempt }) => {
      const response = await next(request);
      if (attempt === 1 && response.status < 300) await next(request);
      return response;
    },
  ),
  passing(
    'deliveries-again-later',
    'Sends the first attempt of each event again before its second one.',
    DUPLICATES,
    again(),
  ),
  passing(
    'creations-twice',
    'Sends every run.created twice.',
    DUPLICATES,
    async (request, next, seen) => {
      if (isCreated(seen)) await next(request);
      return next(request);
    },
  ),
  ...[2, 5, 10, 30].map((percent) =>
    passing(
      `duplicates-${percent}-percent`,
      `Sends ${percent} % of the requests twice.`,
      DUPLICATES,
      async (request, next, { knowledge }) => {
        if (knowledge.random() * 100 < percent) await next(request);
        return next(request);
      },
    ),
  ),
  passing(
    'responses-lost-once',
    'Loses the response to the first attempt of each event.',
    AT_LEAST_ONCE,
    async (request, next, { attempt }) => {
      const response = await next(request);
      if (attempt === 1) throw new Error('the response was lost');
      return response;
    },
  ),
  passing(
    'requests-lost-once',
    'Loses the first request of each event.',
    AT_LEAST_ONCE,
    async (request, next, { attempt }) => {
      if (attempt === 1) throw new Error('the request was lost');
      return next(request);
    },
  ),
  ...[2, 10].flatMap((percent) => [
    passing(
      `responses-lost-${percent}-percent`,
      `Loses ${percent} % of the responses.`,
      AT_LEAST_ONCE,
      async (request, next, { knowledge }) => {
        const response = await next(request);
        if (knowledge.random() * 100 < percent) throw new Error('the response was lost');
        return response;
      },
    ),
    passing(
      `requests-lost-${percent}-percent`,
      `Loses ${percent} % of the requests.`,
      AT_LEAST_ONCE,
      async (request, next, { knowledge }) => {
        if (knowledge.random() * 100 < percent) throw new Error('the request was lost');
        return next(request);
      },
    ),
  ]),
  passing(
    'first-retry-at-once',
    'Makes the second attempt at once, and the others by schedule.',
    'delivery.retry.schedule',
    async (request, next, { attempt }) => {
      const response = await next(request);
      return attempt === 1 && response.status >= 500 ? next(request) : response;
    },
  ),
  ...[1, 5, 20].map((milliseconds) =>
    passing(
      `deliveries-${milliseconds}-ms-late`,
      `Delivers up to ${milliseconds} ms late.`,
      ORDER,
      async (request, next, { knowledge }) => {
        await pause(knowledge.random() * milliseconds);
        return next(request);
      },
    ),
  ),
  passing(
    'creations-late',
    'Delivers run.created after other events.',
    ORDER,
    async (request, next, seen) => {
      if (isCreated(seen)) await pause(15);
      return next(request);
    },
  ),
  passing(
    'changes-late',
    'Delivers status changes after other events.',
    ORDER,
    async (request, next, seen) => {
      if (!isCreated(seen)) await pause(15);
      return next(request);
    },
  ),
  passing('every-third-late', 'Delivers every third request late.', ORDER, everyThirdLate()),
];

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

function passing(id: string, does: string, takes: string, pass: Pass): Variant {
  return {
    id,
    side: 'sender',
    does,
    takes,
    open: (knowledge: Knowledge) => {
      const watch = new Watch(knowledge);
      const delivery: Between = async (request, next) =>
        pass(request, next, await watch.seeAsked(request));
      return { control: watch.control, delivery };
    },
  };
}

function again(): Pass {
  const first = new Map<unknown, Outgoing>();
  return async (request, next, { event, attempt }) => {
    const earlier = first.get(event['id']);
    first.set(event['id'], request);
    if (attempt === 2 && earlier !== undefined) await next(earlier);
    return next(request);
  };
}

function everyThirdLate(): Pass {
  let count = 0;
  return async (request, next) => {
    count += 1;
    if (count % 3 === 0) await pause(10);
    return next(request);
  };
}
