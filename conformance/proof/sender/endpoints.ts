import { isRecord } from '@hookproof/conformance/hooks';

import { defect, perRun } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { jsonOf, respond, sign, withJson } from '../kit/message.ts';
import {
  between,
  editEvent,
  editRun,
  isTest,
  onControl,
  onDelivery,
  onResponse,
} from '../kit/sender.ts';

const FLAG = 'webhook-event.test.flag';
const SYNTHETIC = 'webhook-envelope.test.synthetic-run';

/** Endpoints that hear what they should not, and actions that the sender ignores. */
export const endpointDefects: readonly Defect[] = [
  defect({
    id: 'endpoint-disabled-served',
    breaks: 'delivery.endpoint.disabled',
    does: 'Sends events to a disabled endpoint.',
    sender: onControl((request, next) => {
      const isDisabling =
        request.method === 'PATCH' && Object(jsonOf(request))['enabled'] === false;
      return next(isDisabling ? withJson(request, {}) : request);
    }),
  }),
  defect({
    id: 'endpoint-deleted-served',
    breaks: 'delivery.endpoint.deleted',
    does: 'Sends events to a deleted endpoint.',
    sender: onControl(async (request, next) =>
      request.method === 'DELETE' && request.url.includes('/webhook-endpoints/')
        ? respond(204)
        : next(request),
    ),
  }),
  defect({
    id: 'end-at-all-endpoints-after-4xx',
    breaks: 'webhook-event.every-endpoint',
    does: 'Ends the delivery of an event to all endpoints of a tenant when one of them responds 4xx.',
    sender: perRun(() => {
      const ended = new Set<unknown>();
      return between(async (delivery, next, { event, attempt, isRedelivery }) => {
        if (ended.has(event['id']) && attempt > 1 && !isRedelivery) return respond(204);
        const response = await next(delivery);
        if (response.status === 400) ended.add(event['id']);
        return response;
      });
    }),
  }),
  defect({
    id: 'endpoint-query-lost',
    breaks: 'delivery.endpoint.query',
    does: 'Sends deliveries to the URL of an endpoint without its query.',
    sender: onDelivery((delivery) => {
      const [url = ''] = delivery.url.split('?', 1);
      return { ...delivery, url };
    }),
  }),
  defect({
    id: 'secret-without-prefix',
    breaks: 'signature.secret.prefix',
    does: 'The secret of an endpoint has no prefix.',
    sender: ({ secretOf }) => ({
      control: async (request, next) => {
        const response = await next(request);
        const body = jsonOf(response);
        const { secret } = isRecord(body) ? body : {};
        if (typeof secret !== 'string') return response;
        return withJson(response, { ...Object(body), secret: bare(secret) });
      },
      delivery: (request, next) =>
        next(sign(request, Buffer.from(bare(secretOf(request.url) ?? '')))),
    }),
  }),
  defect({
    id: 'test-event-false',
    breaks: FLAG,
    does: 'A test event has test false.',
    sender: editEvent((event) => (event['test'] = false), isTest),
  }),
  defect({
    id: 'test-event-of-real-run',
    breaks: SYNTHETIC,
    does: 'A test event names a run that exists.',
    sender: withReal('id'),
  }),
  defect({
    id: 'test-event-of-real-automation',
    breaks: SYNTHETIC,
    does: 'A test event names an automation that exists.',
    sender: withReal('automationId'),
  }),
  defect({
    id: 'test-event-ends-after-503',
    breaks: 'delivery.retry.5xx',
    does: 'Ends the delivery of a test event after 503.',
    sender: onResponse((response) => ({ ...response, status: 204 }), isTest),
  }),
];

function bare(secret: string): string {
  return secret.replace('whsec_', '');
}

/** Gives test events the value that the first created run has in this member. */
function withReal(member: string): Open {
  return perRun((knowledge) => {
    let value: unknown;
    const edited = editRun((run) => (run[member] = value ?? run[member]), isTest)(knowledge);
    return () => ({
      ...edited,
      control: async (request, next) => {
        const response = await next(request);
        if (request.method === 'POST' && request.url.endsWith('/runs'))
          value ??= Object(jsonOf(response))[member];
        return response;
      },
    });
  });
}
