import type { DeliveryStatus, Event, WebhookEndpoint } from '@hookproof/spec/control';

import type { DeliveryId, EventId, RunId, WebhookEndpointId, WorldId } from './ids.ts';

/** An event with the exact payload that every attempt sends. */
export interface EventRecord extends Omit<Event, 'payload'> {
  id: EventId;
  worldId: WorldId;
  /** Null for an event of Send test, whose run does not exist, and for a payload without a run. */
  runId: RunId | null;
  payload: string;
}

/** A webhook endpoint. It receives the run events of its world's own tenant, not of the other tenant. */
export interface WebhookEndpointRecord extends Omit<WebhookEndpoint, 'recent'> {
  id: WebhookEndpointId;
  worldId: WorldId;
}

/** One attempt to deliver an event to an endpoint. */
export interface DeliveryAttemptRecord {
  /** 1 for the first. */
  number: number;
  startedAt: string;
  finishedAt: string;
  /** `automatic`, `manual`, or the interceptor's name for an extra attempt. */
  trigger: string;
  /** The delivery fault that an interceptor applied; null without one. */
  deliveryFault: string | null;
  /** The sent `webhook-timestamp`; null when nothing was sent. */
  webhookTimestamp: number | null;
  /** Null without a response. */
  status: number | null;
  error: string | null;
  /** The message of the error; null without one. */
  detail: string | null;
  /** The seconds that `Retry-After` requested, and those used within the maximum. */
  retryAfter: { asked: number; used: number } | null;
  /** The beginning of the response body; null without a response. */
  responseBody: string | null;
}

/** A requested manual redelivery. */
export interface ManualRequest {
  /** 1 for the first of its delivery. No other one gets it, also after a cancellation. */
  readonly number: number;
  readonly askedAt: string;
}

/** An event on its way to one endpoint. */
export interface DeliveryRecord {
  id: DeliveryId;
  eventId: EventId;
  endpointId: WebhookEndpointId;
  runId: RunId | null;
  type: string;
  status: DeliveryStatus;
  endReason: string | null;
  nextAttemptAt: string | null;
  createdAt: string;
  attempts: DeliveryAttemptRecord[];
  /** The redeliveries without a recorded attempt, oldest first. They precede automatic attempts. */
  manualRequests: ManualRequest[];
  /** How many redeliveries were ever requested; absent without one. */
  redeliveries?: number;
}
