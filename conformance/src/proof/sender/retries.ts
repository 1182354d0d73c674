import type { Between } from '../../http/between.ts';
import type { Incoming } from '../../http/message.ts';
import { respond } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import { Watch } from './alter.ts';

const SUCCESSES = [200, 201, 202, 203, 204, 206, 299];
const ENDING = [
  400, 401, 402, 403, 404, 405, 406, 409, 410, 411, 412, 413, 415, 418, 422, 423, 451, 499,
];
const SERVER_ERRORS = [500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 599];

/** Responses that a sender treats as another one. The target's own sender then does the wrong thing. */
export const retryDefects: readonly Defect[] = [
  ...SUCCESSES.map((status) =>
    retriesAfter(`${status}`, 'delivery.success', (each) => each === status),
  ),
  ...ENDING.map((status) =>
    retriesAfter(`${status}`, 'delivery.end.other-4xx', (each) => each === status),
  ),
  retriesAfter('any-2xx', 'delivery.success', (status) => status >= 200 && status <= 299),
  retriesAfter('2xx-but-200', 'delivery.success', (status) => status > 200 && status <= 299),
  retriesAfter('any-4xx', 'delivery.end.other-4xx', (status) => status >= 400 && status <= 499),
  retriesAfter('all', 'delivery.success', () => true),
  ...[408, 425, 429].map((status) =>
    endsAfter(`${status}`, `delivery.retry.${status}`, (each) => each === status),
  ),
  ...SERVER_ERRORS.map((status) =>
    endsAfter(`${status}`, 'delivery.retry.5xx', (each) => each === status),
  ),
  endsAfter('any-4xx', 'delivery.retry.429', (status) => status >= 400 && status <= 499),
  endsAfter('any-5xx', 'delivery.retry.5xx', (status) => status >= 500),
  endsAfter('5xx-above-504', 'delivery.retry.5xx', (status) => status > 504),
  retryDefect(
    'end-after-network-failure',
    'Ends delivery after a network failure.',
    'delivery.retry.network-failure',
    async (request, next) => {
      try {
        return await next(request);
      } catch {
        return respond(204);
      }
    },
  ),
  retryDefect(
    'end-after-timeout',
    'Ends delivery when no response arrives.',
    'delivery.retry.timeout',
    (request, next) => Promise.race([next(request), later(respond(204))]),
  ),
  {
    id: 'one-retry-after-204',
    side: 'sender',
    does: 'Retries once after 204.',
    breaks: 'delivery.success',
    open: (knowledge) => {
      const watch = new Watch(knowledge);
      return {
        delivery: async (request, next) => {
          const { attempt } = watch.see(request);
          const response = await next(request);
          return response.status === 204 && attempt === 1 ? { ...response, status: 503 } : response;
        },
      };
    },
  },
];

const TIMEOUT_MILLISECONDS = 100;

/** Shorter than the target's own timeout, and longer than a response takes. */
function later(response: Incoming): Promise<Incoming> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(response), TIMEOUT_MILLISECONDS).unref();
  });
}

function retriesAfter(
  what: string,
  breaks: string,
  isConcerned: (status: number) => boolean,
): Defect {
  return mapped(`retry-after-${what}`, `Retries after ${words(what)}.`, breaks, isConcerned, 503);
}

function endsAfter(what: string, breaks: string, isConcerned: (status: number) => boolean): Defect {
  return mapped(
    `end-after-${what}`,
    `Ends delivery after ${words(what)}.`,
    breaks,
    isConcerned,
    204,
  );
}

function words(what: string): string {
  return what.replaceAll('-', ' ');
}

function mapped(
  id: string,
  does: string,
  breaks: string,
  isConcerned: (status: number) => boolean,
  status: number,
): Defect {
  return retryDefect(id, does, breaks, async (request, next) => {
    const response = await next(request);
    return isConcerned(response.status) ? { ...response, status } : response;
  });
}

function retryDefect(id: string, does: string, breaks: string, delivery: Between): Defect {
  return { id, side: 'sender', does, breaks, open: () => ({ delivery }) };
}
