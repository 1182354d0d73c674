import type {
  ApiRequestDetail,
  AttemptDetail,
  Clock,
  Delivery,
  DeliveryRowList,
  RequestList,
  RunCreation,
  WebhookEndpointList,
  WorldList,
} from '@hookproof/spec/control';
import type { RunSnapshot } from '@hookproof/spec';

import { call } from './call.ts';

/** The part of a list that is wanted, newest first. */
export interface Part {
  readonly cursor: string | undefined;
  readonly limit: number;
}

export interface DeliveryFilters {
  readonly worldId?: string | undefined;
  readonly status?: string | undefined;
  readonly endpointId?: string | undefined;
  readonly runId?: string | undefined;
  readonly eventId?: string | undefined;
}

/** `listDeliveryRows`. */
export function listDeliveryRows(filters: DeliveryFilters, part: Part): Promise<DeliveryRowList> {
  return call({ path: '/delivery-rows', query: { ...filters, ...part, order: 'newest' } });
}

/** `getDelivery`. */
export function getDelivery(id: string): Promise<Delivery> {
  return call({ path: `/deliveries/${encodeURIComponent(id)}` });
}

/** `getAttempt`. */
export function getAttempt(id: string, number: number): Promise<AttemptDetail> {
  return call({ path: `/deliveries/${encodeURIComponent(id)}/attempts/${number}` });
}

/** `redeliver`. */
export function redeliver(id: string): Promise<Delivery> {
  return call({
    method: 'POST',
    path: `/deliveries/${encodeURIComponent(id)}/redeliver`,
    body: {},
  });
}

/** `listWebhookEndpoints`. */
export function listWebhookEndpoints(worldId: string | undefined): Promise<WebhookEndpointList> {
  return call({ path: '/webhook-endpoints', query: { worldId } });
}

/** `createRun`. */
function createRun(body: RunCreation): Promise<RunSnapshot> {
  return call({ method: 'POST', path: '/runs', body });
}

/** `createRun`, with the transitions of a run that completes within seconds. */
export function startRun(worldId: string | undefined): Promise<RunSnapshot> {
  const scheduledTransitions: RunCreation['scheduledTransitions'] = [
    { status: 'running', afterMilliseconds: 500 },
    { status: 'finalizing', afterMilliseconds: 1_500 },
    { status: 'completed', afterMilliseconds: 500 },
  ];
  const world = worldId === undefined ? {} : { worldId };
  return createRun({ ...world, triggerType: 'manual', scheduledTransitions });
}

/** `listWorlds`. */
export function listWorlds(): Promise<WorldList> {
  return call({ path: '/worlds' });
}

/** `getClock`. */
export function getClock(): Promise<Clock> {
  return call({ path: '/clock' });
}

/** `advanceClock`. */
export function advanceClock(milliseconds: number): Promise<Clock> {
  return call({ method: 'POST', path: '/clock/advance', body: { milliseconds } });
}

export interface RequestFilters {
  readonly worldId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly refusedAt?: string | undefined;
}

/** `listRequests`. */
export function listRequests(filters: RequestFilters, part: Part): Promise<RequestList> {
  return call({ path: '/requests', query: { ...filters, ...part, order: 'newest' } });
}

/** `getRequest`. */
export function getRequest(id: string): Promise<ApiRequestDetail> {
  return call({ path: `/requests/${encodeURIComponent(id)}` });
}
