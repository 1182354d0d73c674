import { isRecord } from '@hookproof/conformance/hooks';
import type { Incoming } from '@hookproof/conformance/hooks';

import { defect } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { jsonOf, respond, withHeader, withJson } from '../kit/message.ts';
import { editDelivery, onResponse } from '../kit/sender.ts';

/** When deliveries are made. */
export const scheduleDefects: readonly Defect[] = [
  defect({
    id: 'creations-wait-for-deliveries',
    breaks: 'delivery.asynchronous',
    does: 'The creation of a run waits for the deliveries that it causes.',
    sender: waiting(/\/runs$/),
  }),
  defect({
    id: 'changes-wait-for-deliveries',
    breaks: 'delivery.asynchronous',
    does: 'A status change waits for the deliveries that it causes.',
    sender: waiting(/\/moves$/),
  }),
  defect({
    id: 'retries-without-pause',
    breaks: 'delivery.retry.backoff',
    does: 'Makes all attempts of an event at the same moment.',
    sender: (knowledge) => ({
      ...editDelivery((delivery, { event }) => {
        const created = Math.floor(Date.parse(String(event['createdAt'])) / 1000);
        return withHeader(delivery, 'webhook-timestamp', String(created));
      })(knowledge),
      control: async (request, next) => withoutPauses(await next(request)),
    }),
  }),
  defect({
    id: 'retry-after-shortened',
    breaks: 'delivery.retry-after',
    does: 'Waits at most a second for Retry-After.',
    sender: onResponse((response) => withHeader(response, 'retry-after', '1')),
  }),
];

/** Lists every attempt at the time of the first one. */
function withoutPauses(response: Incoming): Incoming {
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
function waiting(path: RegExp): Open {
  return () => {
    const open = new Set<Promise<unknown>>();
    return {
      control: async (request, next) => {
        const response = await next(request);
        if (request.method !== 'POST' || !path.test(new URL(request.url).pathname)) return response;
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
  };
}
