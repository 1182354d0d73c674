import type { EventType } from '@hookproof/spec';

/** One event, kept as the exact text that every attempt sends. */
export interface EventRecord {
  /** `whev_…` */
  id: string;
  worldId: string;
  type: EventType;
  /** Null for an event of Send test, whose run does not exist. */
  runId: string | null;
  /** The JSON text whose UTF-8 bytes are signed and sent; never serialised again. */
  payload: string;
  test: boolean;
  createdAt: string;
}

/** Where the run events of a world's tenant are sent; those of its neighbour are not. */
export interface WebhookEndpointRecord {
  id: string;
  worldId: string;
  url: string;
  /** Custom headers sent with every delivery. */
  headers: Record<string, string>;
  /** `whsec_…`; the key of the signature. */
  secret: string;
  enabled: boolean;
  createdAt: string;
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
  id: string;
  eventId: string;
  endpointId: string;
  runId: string | null;
  type: EventType;
  status: 'pending' | 'delivered' | 'ended';
  endReason: string | null;
  nextAttemptAt: string | null;
  createdAt: string;
  attempts: DeliveryAttemptRecord[];
  /** Those that no attempt has been recorded for yet, in their order; they come before the automatic try. */
  manualRequests: ManualRequest[];
}
