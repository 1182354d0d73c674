import type { EventType } from '@hookproof/spec';

/** One try to hand an event to an endpoint. */
export interface DeliveryAttemptRecord {
  /** 1 for the first. */
  number: number;
  startedAt: string;
  finishedAt: string;
  trigger: 'automatic' | 'manual';
  /** Null when no answer came. */
  status: number | null;
  error: string | null;
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
