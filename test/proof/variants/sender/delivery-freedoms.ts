import { setTimeout as sleep } from 'node:timers/promises';

import { isRecord } from '@hookproof/conformance/hooks';
import type { Next, Outgoing } from '@hookproof/conformance/hooks';
import { variant } from '@hookproof/conformance/proof/kit/defect';
import type { Variant } from '@hookproof/conformance/proof/kit/defect';
import { editJson, jsonOf, respond } from '@hookproof/conformance/proof/kit/message';
import {
  between,
  editRun,
  isTest,
  onControl,
  onResponse,
} from '@hookproof/conformance/proof/kit/sender';

const RESERVED = /^(webhook-(id|timestamp|signature)|content-type|user-agent)$/i;
const SHORT_TIMEOUT_MILLISECONDS = 500;

/** What the contract leaves open about deliveries and their endpoints. */
export const deliveryFreedoms: readonly Variant[] = [
  variant({
    id: 'trigger-type-of-a-test',
    takes: 'webhook-run.trigger-type',
    does: 'The run of a test event has the trigger type test.',
    sender: editRun((run) => (run['triggerType'] = 'test'), isTest),
  }),
  variant({
    id: 'waits-for-half-a-second',
    takes: 'delivery.timeout',
    does: 'Waits half a second for a response.',
    sender: between((request, next) =>
      Promise.race([next(request), sleep(SHORT_TIMEOUT_MILLISECONDS).then(timedOut)]),
    ),
  }),
  variant({
    id: 'retries-after-a-redirect',
    takes: 'delivery.redirects',
    does: 'Retries after a 3xx.',
    sender: onResponse((response) => {
      const isRedirect = response.status >= 300 && response.status <= 399;
      return isRedirect ? { ...response, status: 503 } : response;
    }),
  }),
  variant({
    id: 'reserved-headers-ignored',
    takes: 'webhook-header.custom.reserved',
    does: 'Ignores custom headers with the name of a contract header.',
    sender: onControl((request, next) =>
      next(
        request.url.endsWith('/webhook-endpoints')
          ? editJson(request, ({ headers }) => withoutReserved(headers))
          : request,
      ),
    ),
  }),
  variant({
    id: 'redelivers-only-ended-deliveries',
    takes: 'delivery.redelivery.trigger',
    does: 'Refuses to redeliver a delivery that has not ended.',
    sender: onControl(async (request, next) => {
      if (!request.url.endsWith('/redeliver')) return next(request);
      return (await isPending(request, next)) ? respond(409, {}) : next(request);
    }),
  }),
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

async function isPending({ url, headers }: Outgoing, next: Next): Promise<boolean> {
  const own = headers.filter(([name]) => name.toLowerCase() === 'authorization');
  const path = url.slice(0, -'/redeliver'.length);
  const record = jsonOf(await next({ method: 'GET', url: path, headers: own, body: null }));
  return isRecord(record) && record['status'] === 'pending';
}
