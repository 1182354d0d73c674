import { setTimeout as delay } from 'node:timers/promises';

import { isRecord } from '../../http/message.ts';
import type { Incoming, Outgoing } from '../../http/message.ts';
import { editJson, jsonOf, respond } from '../kit/message.ts';
import type { Variant } from '../kit/defect.ts';
import { editingRun, isTest, variant } from './alter.ts';

const RESERVED = /^(webhook-(id|timestamp|signature)|content-type|user-agent)$/i;
const SHORT_TIMEOUT_MILLISECONDS = 500;

/** What the contract leaves open about deliveries and their endpoints. */
export const deliveryFreedoms: readonly Variant[] = [
  variant(
    'trigger-type-of-a-test',
    'The run of a test event has the trigger type test.',
    'webhook-run.trigger-type',
    editingRun((run) => (run['triggerType'] = 'test'), isTest),
  ),
  {
    id: 'waits-for-half-a-second',
    side: 'sender',
    does: 'Waits half a second for a response.',
    takes: 'delivery.timeout',
    open: () => ({
      delivery: (request, next) =>
        Promise.race([next(request), delay(SHORT_TIMEOUT_MILLISECONDS).then(timedOut)]),
    }),
  },
  {
    id: 'retries-after-a-redirect',
    side: 'sender',
    does: 'Retries after a 3xx.',
    takes: 'delivery.redirects',
    open: () => ({
      async delivery(request, next) {
        const response = await next(request);
        const isRedirect = response.status >= 300 && response.status <= 399;
        return isRedirect ? { ...response, status: 503 } : response;
      },
    }),
  },
  {
    id: 'reserved-headers-ignored',
    side: 'sender',
    does: 'Ignores custom headers with the name of a contract header.',
    takes: 'webhook-header.custom.reserved',
    open: () => ({
      control: (request, next) =>
        next(
          request.url.endsWith('/webhook-endpoints')
            ? editJson(request, ({ headers }) => withoutReserved(headers))
            : request,
        ),
    }),
  },
  {
    id: 'redelivers-only-ended-deliveries',
    side: 'sender',
    does: 'Refuses to redeliver a delivery that has not ended.',
    takes: 'delivery.redelivery.trigger',
    open: () => ({
      async control(request, next) {
        if (!request.url.endsWith('/redeliver')) return next(request);
        return (await isPending(request, next)) ? respond(409, {}) : next(request);
      },
    }),
  },
];

function timedOut(): never {
  throw new Error('the sender no longer waits');
}

function withoutReserved(headers: unknown): void {
  if (typeof headers !== 'object' || headers === null) return;
  for (const name of Object.keys(headers)) {
    if (RESERVED.test(name)) Reflect.deleteProperty(headers, name);
  }
}

async function isPending(
  { url, headers }: Outgoing,
  next: (request: Outgoing) => Promise<Incoming>,
): Promise<boolean> {
  const own = headers.filter(([name]) => name.toLowerCase() === 'authorization');
  const path = url.slice(0, -'/redeliver'.length);
  const record = jsonOf(await next({ method: 'GET', url: path, headers: own, body: null }));
  return isRecord(record) && record['status'] === 'pending';
}
