import type { Between } from '../../http/between.ts';
import { isRecord } from '../../http/message.ts';
import type { Outgoing } from '../../http/message.ts';
import { defect, perRun } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { jsonOf, respond, sign, withJson } from '../kit/message.ts';
import {
  between,
  editEvent,
  editRun,
  isReal,
  isTest,
  onControl,
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
    id: 'redelivery-ignored',
    breaks: 'delivery.redelivery.sent',
    does: 'Ignores the request for a redelivery.',
    sender: onControl((request, next) => {
      if (!request.url.endsWith('/redeliver')) return next(request);
      const url = request.url.replace(/\/redeliver$/, '');
      return next({ ...request, method: 'GET', url, body: null });
    }),
  }),
  defect({
    id: 'invoked-runs-send-events',
    breaks: 'webhook-event.invoked-run.silent',
    does: 'Sends events for a run that another run invokes.',
    sender: onControl(asTopLevel('invoke-workflow')),
  }),
  defect({
    id: 'evaluation-runs-send-events',
    breaks: 'webhook-event.evaluation-run.silent',
    does: 'Sends events for an evaluation run.',
    sender: onControl(asTopLevel('evaluation')),
  }),
  defect({
    id: 'tenants-mixed',
    breaks: 'webhook-event.tenant-isolation',
    does: 'Sends events to the endpoints of other tenants too.',
    sender: leaking(),
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

/** Creates runs of this origin as if nothing had caused them. */
function asTopLevel(origin: string): Between {
  return (request, next) => {
    const body = jsonOf(request);
    if (!isRecord(body) || body['origin'] !== origin) return next(request);
    const { origin: _origin, ...rest } = body;
    return next(withJson(request, rest));
  };
}

/** Each endpoint also hears what others heard before. */
function leaking(): Open {
  return perRun(() => {
    const heard = new Map<string, Outgoing>();
    return between(async (request, next, seen) => {
      for (const [url, other] of heard) {
        if (url === request.url) continue;
        heard.delete(url);
        await next(sign({ ...other, url: request.url }, seen.key));
      }
      if (isReal(seen)) heard.set(request.url, request);
      return next(request);
    });
  });
}
