import type {
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointCreation,
  WebhookEndpointList,
} from '@hookproof/spec/control';

import { call, send } from './call.ts';
import type { Part } from './operations.ts';

function pathOf(id: string): string {
  return `/webhook-endpoints/${encodeURIComponent(id)}`;
}

/** `listWebhookEndpoints`. */
export function listEndpoints(
  worldId: string | undefined,
  part: Part,
): Promise<WebhookEndpointList> {
  return call({ path: '/webhook-endpoints', query: { worldId, ...part, order: 'newest' } });
}

/** `getWebhookEndpoint`. */
export function getEndpoint(id: string): Promise<WebhookEndpoint> {
  return call({ path: pathOf(id) });
}

/** `createWebhookEndpoint`. */
export function createEndpoint(body: WebhookEndpointCreation): Promise<WebhookEndpoint> {
  return call({ method: 'POST', path: '/webhook-endpoints', body });
}

/** `changeWebhookEndpoint`. */
export function changeEndpoint(id: string, body: WebhookEndpointChange): Promise<WebhookEndpoint> {
  return call({ method: 'PATCH', path: pathOf(id), body });
}

/** `deleteWebhookEndpoint`. */
export async function deleteEndpoint(id: string): Promise<void> {
  await send({ method: 'DELETE', path: pathOf(id) });
}
