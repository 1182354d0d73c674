import { SECRET_PREFIX } from '@hookproof/spec';
import type { WebhookEndpointChange, WebhookEndpointCreation } from '@hookproof/spec/control';

import { isoTime } from '../../clock/clock.ts';
import { customHeaderProblems } from '../../events/custom-headers.ts';
import { emitTestEvent } from '../../events/event.ts';
import { cancelDeliveries } from '../../events/delivery.ts';
import { targetUrlProblem } from '../../events/target.ts';
import { ApiError, issue, refusal } from '../../errors.ts';
import { fieldPath } from '../../json.ts';
import type { WebhookEndpointRecord } from '../../store/deliveries.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { nextId } from '../../store/seed.ts';
import type { ReadonlyState } from '../../store/state.ts';
import { findKnown, findWorld } from './find.ts';
import type { ControlRoute } from './operation.ts';
import { pageOf } from './page.ts';
import { withRecentAttempts } from './recent-attempts.ts';
import type { LabServices } from './services.ts';

/** Routes for webhook endpoints. */
export function endpointRoutes(services: LabServices): ControlRoute[] {
  return [
    createRoute(services),
    listRoute(services),
    readRoute(services),
    changeRoute(services),
    deleteRoute(services),
    testRoute(services),
  ];
}

function createRoute({
  store,
  clock,
  ownPorts,
}: LabServices): ControlRoute<WebhookEndpointCreation> {
  return {
    operationId: 'createWebhookEndpoint',
    async handle({ body }) {
      refuseUnsendable(body, ownPorts);
      const endpoint = await store.commit((state) => {
        const world = findWorld(state, body.worldId);
        const created: WebhookEndpointRecord = {
          id: nextId(state, 'whep_'),
          worldId: world.id,
          url: body.url,
          headers: body.headers ?? {},
          secret: body.secret ?? nextId(state, SECRET_PREFIX) + nextId(state, ''),
          enabled: true,
          createdAt: isoTime(clock.now()),
        };
        state.webhookEndpoints.add(created);
        return { ...created };
      });
      return { status: 201, body: endpoint };
    },
  };
}

function listRoute({ store }: LabServices): ControlRoute {
  return {
    operationId: 'listWebhookEndpoints',
    async handle({ query: { worldId }, page }) {
      const found = [...store.state.webhookEndpoints.values()].filter(
        (endpoint) => worldId === undefined || endpoint.worldId === worldId,
      );
      return {
        status: 200,
        body: pageOf(found, page, withRecentAttempts(store.state.deliveries.values())),
      };
    },
  };
}

function readRoute({ store }: LabServices): ControlRoute {
  return {
    operationId: 'getWebhookEndpoint',
    async handle({ path }) {
      const endpoint = findEndpoint(store.state, path);
      const own = store.state.deliveries.filter(({ endpointId }) => endpointId === endpoint.id);
      return { status: 200, body: withRecentAttempts(own)(endpoint) };
    },
  };
}

function changeRoute({
  store,
  ownPorts,
  sender,
}: LabServices): ControlRoute<WebhookEndpointChange> {
  return {
    operationId: 'changeWebhookEndpoint',
    async handle({ path, body }) {
      refuseUnsendable(body, ownPorts);
      const { endpoint, cancelled } = await store.commit((state) => {
        const found = state.webhookEndpoints.edit(findEndpoint(state, path).id);
        Object.assign(found, body);
        return {
          endpoint: { ...found },
          cancelled: found.enabled ? [] : cancelDeliveries(state, found.id, 'endpoint_disabled'),
        };
      });
      sender.enqueue(cancelled);
      return { status: 200, body: endpoint };
    },
  };
}

function deleteRoute({ store, sender }: LabServices): ControlRoute {
  return {
    operationId: 'deleteWebhookEndpoint',
    async handle({ path }) {
      const cancelled = await store.commit((state) => {
        const { id } = findEndpoint(state, path);
        state.webhookEndpoints.delete(id);
        return cancelDeliveries(state, id, 'endpoint_deleted');
      });
      sender.enqueue(cancelled);
      return { status: 204 };
    },
  };
}

function testRoute({ store, clock, sender }: LabServices): ControlRoute<object> {
  return {
    operationId: 'sendTestEvent',
    async handle({ path }) {
      const delivery = await store.commit((state) => {
        const endpoint = findEndpoint(state, path);
        refuseInactive(endpoint);
        return emitTestEvent(state, clock.now(), endpoint);
      });
      sender.enqueue([delivery]);
      return { status: 202, body: { eventId: delivery.eventId } };
    },
  };
}

function findEndpoint(
  state: ReadonlyState,
  path: Readonly<Record<string, string>>,
): DeepReadonly<WebhookEndpointRecord> {
  return findKnown(state.webhookEndpoints, path['id'] ?? '', 'id', 'webhook endpoint');
}

/**
 * Refuses an endpoint to which nothing is sent: disabled, or deleted (undefined).
 *
 * @throws {ApiError} 409
 */
export function refuseInactive(endpoint: DeepReadonly<WebhookEndpointRecord> | undefined): void {
  if (endpoint?.enabled === true) return;
  const state = endpoint === undefined ? 'deleted' : 'disabled';
  throw refusal(
    'endpoint_not_active',
    'id',
    `the webhook endpoint must be enabled, but it is ${state}`,
    endpoint === undefined
      ? {}
      : {
          hint: `Enable it with PATCH /_control/webhook-endpoints/${endpoint.id} {"enabled":true}.`,
        },
  );
}

function refuseUnsendable(
  { url, headers }: WebhookEndpointChange,
  ownPorts: ReadonlySet<number>,
): void {
  const urlProblem = url === undefined ? null : targetUrlProblem(url, ownPorts);
  const issues = customHeaderProblems(headers ?? {}).map(({ name, message }) =>
    issue('invalid_value', fieldPath('/headers', ...(name === null ? [] : [name])), message),
  );
  if (urlProblem !== null) issues.unshift(issue('invalid_value', 'url', urlProblem));
  if (issues.length > 0) throw new ApiError(issues);
}
