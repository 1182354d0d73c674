import type { Hooks } from '../../http/between.ts';
import { isRecord } from '../../http/message.ts';
import { jsonOf, respond, sign, withHeader, withJson } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import { Watch } from './alter.ts';

/** When deliveries are made. */
export const scheduleDefects: readonly Defect[] = [
  waiting('creations', 'The creation of a run', /\/runs$/),
  waiting('changes', 'A status change', /\/moves$/),
  {
    id: 'retries-without-pause',
    side: 'sender',
    does: 'Makes all attempts of an event at the same moment.',
    breaks: 'delivery.retry.backoff',
    open: (knowledge) => {
      const watch = new Watch(knowledge);
      return {
        control: async (request, next) => withoutPauses(await next(request)),
        delivery: (request, next) => {
          const { event, key } = watch.see(request);
          const created = Math.floor(Date.parse(String(event['createdAt'])) / 1000);
          return next(sign(withHeader(request, 'webhook-timestamp', String(created)), key));
        },
      };
    },
  },
  {
    id: 'retry-after-shortened',
    side: 'sender',
    does: 'Waits at most a second for Retry-After.',
    breaks: 'delivery.retry-after',
    open: () => ({
      delivery: async (request, next) => withHeader(await next(request), 'retry-after', '1'),
    }),
  },
];

/** Lists every attempt at the time of the first one. */
function withoutPauses<Response extends Awaited<ReturnType<Hooks['control'] & {}>>>(
  response: Response,
): Response {
  const body = jsonOf(response);
  const { data } = isRecord(body) ? body : {};
  if (!Array.isArray(data)) return response;
  for (const record of data) {
    const { attempts } = isRecord(record) ? record : {};
    if (!Array.isArray(attempts)) continue;
    for (const attempt of attempts) Object.assign(attempt, { startedAt: attempts[0].startedAt });
  }
  return withJson(response, body);
}

const ARRIVAL_MILLISECONDS = 20;

/** An operation that ends after the deliveries that it causes. */
function waiting(name: string, what: string, path: RegExp): Defect {
  return {
    id: `${name}-wait-for-deliveries`,
    side: 'sender',
    does: `${what} waits for the deliveries that it causes.`,
    breaks: 'delivery.asynchronous',
    open: () => {
      const open = new Set<Promise<unknown>>();
      return {
        control: async (request, next) => {
          const response = await next(request);
          if (request.method !== 'POST' || !path.test(new URL(request.url).pathname))
            return response;
          await new Promise((resolve) => setTimeout(resolve, ARRIVAL_MILLISECONDS));
          await Promise.allSettled(open);
          return response;
        },
        delivery: async (request, next) => {
          const delivery = next(request).catch(() => respond(503));
          open.add(delivery);
          try {
            return await delivery;
          } finally {
            open.delete(delivery);
          }
        },
      };
    },
  };
}
