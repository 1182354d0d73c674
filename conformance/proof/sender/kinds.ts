import type { Incoming, Outgoing } from '@hookproof/conformance/hooks';
import { TERMINAL_RUN_STATUSES } from '@hookproof/spec';

import { defect, perRun } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { jsonOf, respond, sign, withJson } from '../kit/message.ts';
import { between, isAgent, isChanged, isCreated, onResponse } from '../kit/sender.ts';
import type { Seen, When } from '../kit/sender.ts';

const SERVER_ERROR = 'delivery.retry.5xx';
const CREATED = 'webhook-event.created.sent';
const LARGE_BYTES = 8 * 1024;
const EACH = 20;

/** Senders that are right for the usual event, endpoint and response, and wrong for another kind of them. */
export const kindDefects: readonly Defect[] = [
  defect({
    id: 'no-retry-of-changes',
    breaks: SERVER_ERROR,
    does: 'Sends each status change once, whatever the response.',
    sender: endsAfterRefusal(isChanged),
  }),
  defect({
    id: 'no-retry-of-terminal-changes',
    breaks: SERVER_ERROR,
    does: 'Sends a change to a terminal status once, whatever the response.',
    sender: endsAfterRefusal(isEnd),
  }),
  defect({
    id: 'no-retry-of-agent-runs',
    breaks: SERVER_ERROR,
    does: 'Sends each event of an agent run once, whatever the response.',
    sender: endsAfterRefusal(isAgent),
  }),
  defect({
    id: 'no-retry-of-agent-ends',
    breaks: SERVER_ERROR,
    does: 'Sends the end of an agent run once, whatever the response.',
    sender: endsAfterRefusal((seen) => isAgent(seen) && isEnd(seen)),
  }),
  ...(['waiting', 'failed'] as const).map((status) =>
    defect({
      id: `no-retry-of-${status}`,
      breaks: SERVER_ERROR,
      does: `Sends the change of a run to ${status} once, whatever the response.`,
      sender: endsAfterRefusal((seen) => isChanged(seen) && seen.run['status'] === status),
    }),
  ),
  defect({
    id: 'no-retry-of-cron-runs',
    breaks: SERVER_ERROR,
    does: 'Sends each event of a cron run once, whatever the response.',
    sender: endsAfterRefusal(({ run }) => run['triggerType'] === 'cron'),
  }),
  defect({
    id: 'no-retry-of-non-ascii-events',
    breaks: SERVER_ERROR,
    does: 'Sends an event with characters beyond ASCII once, whatever the response.',
    sender: endsAfterRefusal(({ event }) => {
      const text = JSON.stringify(event);
      return Buffer.byteLength(text) > text.length;
    }),
  }),
  defect({
    id: 'no-retry-of-large-events',
    breaks: SERVER_ERROR,
    does: 'Sends an event of more than 8 KiB once, whatever the response.',
    sender: endsAfterRefusal(({ event }) => JSON.stringify(event).length > LARGE_BYTES),
  }),
  defect({
    id: 'signature-of-large-bodies-wrong',
    breaks: 'signature.message.signed',
    does: 'Signs only the first 8 KiB of a body.',
    sender: between((request, next, { key }) => {
      const { body } = request;
      if (body === null || body.length <= LARGE_BYTES) return next(request);
      const { headers } = sign({ ...request, body: body.subarray(0, LARGE_BYTES) }, key);
      return next({ ...request, headers });
    }),
  }),
  defect({
    id: 'second-endpoint-signed-with-first-secret',
    breaks: 'signature.message.signed',
    does: 'Signs the deliveries to each endpoint of a tenant with the secret of its first one.',
    sender: toLaterEndpoints((request, { secret }) => sign(request, Buffer.from(secret))),
  }),
  defect({
    id: 'second-endpoint-silent',
    breaks: 'webhook-event.every-endpoint',
    does: 'Sends events to the first endpoint of a tenant only.',
    sender: toLaterEndpoints(() => respond(204)),
  }),
  defect({
    id: 'creation-lost-each-20th',
    breaks: CREATED,
    does: 'Loses each twentieth run.created.',
    sender: perRun(() => {
      const numbers = new Map<unknown, number>();
      return between(async (request, next, seen) => {
        if (!isCreated(seen)) return next(request);
        const { id } = seen.event;
        const number = numbers.get(id) ?? numbers.size + 1;
        numbers.set(id, number);
        return number % EACH === 0 ? respond(204) : next(request);
      });
    }),
  }),
  defect({
    id: 'evaluation-runs-of-agents-send-events',
    breaks: 'webhook-event.evaluation-run.silent',
    does: 'Sends events for an evaluation run of an agent.',
    sender: speaking(
      ({ origin, automationId }) =>
        origin === 'evaluation' && String(automationId).startsWith('agent_'),
      () => true,
    ),
  }),
  defect({
    id: 'invoked-failures-send-events',
    breaks: 'webhook-event.invoked-run.silent',
    does: 'Sends an event when a run that another run invokes fails.',
    sender: speaking(
      ({ origin }) => origin === 'invoke-workflow',
      (status) => status === 'failed',
    ),
  }),
  defect({
    id: 'tenants-mixed-changes',
    breaks: 'webhook-event.tenant-isolation',
    does: 'Sends status changes to the endpoints of other tenants too.',
    sender: perRun(() => {
      const heard = new Map<string, Outgoing>();
      return between(async (request, next, seen) => {
        for (const [url, other] of heard) {
          if (url === request.url) continue;
          heard.delete(url);
          await next(sign({ ...other, url: request.url }, seen.key));
        }
        if (isChanged(seen)) heard.set(request.url, request);
        return next(request);
      });
    }),
  }),
];

function isTerminal(status: unknown): boolean {
  return TERMINAL_RUN_STATUSES.some((terminal) => terminal === status);
}

function isEnd(seen: Seen): boolean {
  return isChanged(seen) && isTerminal(seen.run['status']);
}

/** Some events are sent once: the sender hears a success whatever the response. */
function endsAfterRefusal(when: When): Open {
  return onResponse((response) => ({ ...response, status: 204 }), when);
}

/** Changes, or accepts, the deliveries to every endpoint of a tenant but its first. */
function toLaterEndpoints(
  change: (delivery: Outgoing, first: { readonly secret: string }) => Outgoing | Incoming,
): Open {
  return () => {
    const firsts = new Map<unknown, { readonly secret: string }>();
    const later = new Map<string, { readonly secret: string }>();
    return {
      control: async (request, next) => {
        const response = await next(request);
        if (request.method !== 'POST' || !request.url.endsWith('/webhook-endpoints'))
          return response;
        const { worldId } = Object(jsonOf(request));
        const made = Object(jsonOf(response));
        const first = firsts.get(worldId);
        if (first === undefined) firsts.set(worldId, made);
        else later.set(String(made.url), first);
        return response;
      },
      delivery: async (request, next) => {
        const first = later.get(request.url);
        if (first === undefined) return next(request);
        const changed = change(request, first);
        return 'status' in changed ? changed : next(changed);
      },
    };
  };
}

/** Creates some runs as if nothing had caused them, and sends their events in some statuses. */
function speaking(
  isConcerned: (creation: {
    readonly origin?: unknown;
    readonly automationId?: unknown;
  }) => boolean,
  inStatus: (status: unknown) => boolean,
): Open {
  return (knowledge) => {
    const ids = new Set<unknown>();
    // Events can arrive before the response to the creation.
    const created: Promise<unknown>[] = [];
    const filtering = between(async (request, next, { run }) => {
      await Promise.all(created);
      return ids.has(run['id']) && !inStatus(run['status']) ? respond(204) : next(request);
    });
    return {
      ...filtering(knowledge),
      control: async (request, next) => {
        const creation = Object(jsonOf(request));
        if (!request.url.endsWith('/runs') || !isConcerned(creation)) return next(request);
        const { origin: _origin, ...rest } = creation;
        const made = next(withJson(request, rest));
        created.push(made.catch(() => undefined));
        const response = await made;
        ids.add(Object(jsonOf(response)).id);
        return response;
      },
    };
  };
}
