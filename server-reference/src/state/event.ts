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
