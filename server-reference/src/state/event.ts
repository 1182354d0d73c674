/** One event, kept as the exact text that every attempt sends. */
export interface EventRecord {
  /** `whev_…` */
  id: string;
  worldId: string;
  type: 'run.created' | 'run.status_changed';
  /** Null for an event of Send test, whose run does not exist. */
  runId: string | null;
  /** The JSON text whose UTF-8 bytes are signed and sent; never serialised again. */
  payload: string;
  test: boolean;
  createdAt: string;
}
