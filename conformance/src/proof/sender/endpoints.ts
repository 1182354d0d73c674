import type { Between } from '../../http/between.ts';
import { isRecord } from '../../http/message.ts';
import type { Outgoing } from '../../http/message.ts';
import { jsonOf, respond, sign, withJson } from '../kit/message.ts';
import type { Fields } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import type { When } from './alter.ts';
import { defect, editing, editingRun, isCreated, isReal, isTest, Watch } from './alter.ts';

/** Endpoints that hear what they should not, and actions that the sender ignores. */
export const endpointDefects: readonly Defect[] = [
  controlled(
    'endpoint-disabled-served',
    'A disabled endpoint receives events.',
    'delivery.endpoint.disabled',
    async (request, next) => {
      const isDisabling =
        request.method === 'PATCH' && Object(jsonOf(request))['enabled'] === false;
      return isDisabling ? next(withJson(request, {})) : next(request);
    },
  ),
  controlled(
    'endpoint-deleted-served',
    'A deleted endpoint receives events.',
    'delivery.endpoint.deleted',
    async (request, next) =>
      request.method === 'DELETE' && request.url.includes('/webhook-endpoints/')
        ? respond(204)
        : next(request),
  ),
  controlled(
    'redelivery-ignored',
    'Ignores a manual redelivery.',
    'delivery.redelivery.sent',
    async (request, next) => {
      if (!request.url.endsWith('/redeliver')) return next(request);
      return next({
        ...request,
        method: 'GET',
        url: request.url.replace(/\/redeliver$/, ''),
        body: null,
      });
    },
  ),
  controlled(
    'invoked-runs-send-events',
    'A run that another run invokes causes events.',
    'webhook-event.invoked-run.silent',
    topLevel('invoke-workflow'),
  ),
  controlled(
    'evaluation-runs-send-events',
    'An evaluation run causes events.',
    'webhook-event.evaluation-run.silent',
    topLevel('evaluation'),
  ),
  leak('all', 'all events', () => true),
  leak('creations', 'the events of creations', isCreated),
  {
    id: 'secret-without-prefix',
    side: 'sender',
    does: 'The secret of an endpoint has no prefix.',
    breaks: 'signature.secret.prefix',
    open: ({ secretOf }) => ({
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
  },
  ...testEvents(),
];

function bare(secret: string): string {
  return secret.replace('whsec_', '');
}

function testEvents(): Defect[] {
  const flag = 'webhook-event.test.flag';
  const synthetic = 'webhook-envelope.test.synthetic-run';
  return [
    defect(
      'test-event-false',
      'A test event has test false.',
      flag,
      editing((event) => (event['test'] = false), isTest),
    ),
    defect(
      'test-event-unmarked',
      'A test event has no member test.',
      flag,
      editing((event) => delete event['test'], isTest),
    ),
    real('run', 'A test event names a run that exists.', synthetic, 'id'),
    real('automation', 'A test event names an automation that exists.', synthetic, 'automationId'),
    {
      id: 'test-event-ends-after-503',
      side: 'sender',
      does: 'Ends the delivery of a test event after 503.',
      breaks: 'delivery.retry.5xx',
      open: (knowledge) => {
        const watch = new Watch(knowledge);
        return {
          delivery: async (request, next) => {
            const response = await next(request);
            return isTest(watch.see(request)) ? { ...response, status: 204 } : response;
          },
        };
      },
    },
  ];
}

/** A test event with an id of the first real run that was seen at its endpoint. */
function real(name: string, does: string, breaks: string, member: string): Defect {
  return {
    id: `test-event-of-real-${name}`,
    side: 'sender',
    does,
    breaks,
    open: (knowledge) => {
      const watch = new Watch(knowledge);
      const ids = new Map<string, unknown>();
      return {
        control: async (request, next) => {
          const response = await next(request);
          const body: Fields = Object(jsonOf(response));
          if (request.method === 'POST' && request.url.endsWith('/runs'))
            ids.set('', ids.get('') ?? body[member]);
          return response;
        },
        delivery: (request, next) => {
          const seen = watch.see(request);
          const alter = editingRun((run) => (run[member] = ids.get('') ?? run[member]), isTest);
          return next(alter(request, seen));
        },
      };
    },
  };
}

function controlled(id: string, does: string, breaks: string, control: Between): Defect {
  return { id, side: 'sender', does, breaks, open: () => ({ control }) };
}

/** Creates runs of this origin as if nothing had caused them. */
function topLevel(origin: string): Between {
  return (request, next) => {
    const body = jsonOf(request);
    if (!isRecord(body) || body['origin'] !== origin) return next(request);
    const { origin: _origin, ...rest } = body;
    return next(withJson(request, rest));
  };
}

/** Each endpoint also hears what others heard before. */
function leak(name: string, what: string, when: When): Defect {
  return {
    id: `tenants-mixed-${name}`,
    side: 'sender',
    does: `Sends ${what} to the endpoints of other tenants, too.`,
    breaks: 'webhook-event.tenant-isolation',
    open: (knowledge) => {
      const watch = new Watch(knowledge);
      const heard = new Map<string, Outgoing>();
      return {
        delivery: async (request, next) => {
          const seen = watch.see(request);
          for (const [url, other] of heard) {
            if (url === request.url) continue;
            heard.delete(url);
            await next(sign({ ...other, url: request.url }, seen.key));
          }
          if (isReal(seen) && when(seen)) heard.set(request.url, request);
          return next(request);
        },
      };
    },
  };
}
