import type { DeliveryStatus, Event, EventType, WebhookEndpoint } from '@hookproof/spec/control';

import type { DeliveryId, EventId, RunId, WebhookEndpointId, WorldId } from './ids.ts';

/** One event, kept as the exact text that every attempt sends. */
export interface EventRecord extends Event {
  id: EventId;
  worldId: WorldId;
  /** Null for an event of Send test, whose run does not exist. */
  runId: RunId | null;
}

/** Where the run events of a world's tenant are sent; those of its neighbour are not. */
export interface WebhookEndpointRecord extends WebhookEndpoint {
  id: WebhookEndpointId;
  worldId: WorldId;
}

/** One try to hand an event to an endpoint. */
export interface DeliveryAttemptRecord {
  /** 1 for the first. */
  number: number;
  startedAt: string;
  finishedAt: string;
  /** `automatic`, `manual`, or what an interceptor calls its extra attempts. */
  trigger: string;
  /** The delivery fault that an interceptor applied; null without one. */
  deliveryFault: string | null;
  /** The `webhook-timestamp` that it carried; null when nothing was sent. */
  webhookTimestamp: number | null;
  /** Null when no answer came. */
  status: number | null;
  error: string | null;
  /** The error in words, where there are any. */
  detail: string | null;
  /** Seconds that `Retry-After` asked for, and that were used under the cap. */
  retryAfter: { asked: number; used: number } | null;
  responseBody: string | null;
}

/** A manual redelivery that somebody asked for. */
export interface ManualRequest {
  readonly askedAt: string;
}

/** An event on its way to one endpoint. */
export interface DeliveryRecord {
  id: DeliveryId;
  eventId: EventId;
  endpointId: WebhookEndpointId;
  runId: RunId | null;
  type: EventType;
  status: DeliveryStatus;
  endReason: string | null;
  nextAttemptAt: string | null;
  createdAt: string;
  attempts: DeliveryAttemptRecord[];
  /** Those that no attempt has been recorded for yet, in their order; they come before the automatic try. */
  manualRequests: ManualRequest[];
}
