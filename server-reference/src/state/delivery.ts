import type { EventType } from '@hookproof/spec';

import type { PathologyName } from '../pathologies/pathology-name.ts';

/** One try to hand an event to an endpoint. */
export interface DeliveryAttemptRecord {
  /** 1 for the first. */
  number: number;
  startedAt: string;
  finishedAt: string;
  /** `copy`: the pathology `duplicate` made the POST once more. */
  trigger: 'automatic' | 'manual' | 'copy';
  /** What befell it on the way. */
  pathology: PathologyName | null;
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
