import type { RunEvent } from '@hookproof/spec';

/**
 * An authentic event that this release does not know: of another type, or of another `apiVersion`
 * and no longer shaped like a known event. It is handed on rather than refused, so that nothing is
 * lost when the platform learns something new.
 */
export interface UnknownEvent {
  /** Tells it from the known events; the type in the body is `receivedType`. */
  readonly type: 'unknown';
  readonly receivedType: string;
  readonly id: string;
  readonly apiVersion: string;
  readonly createdAt: string;
  /** True for an event of the Send test action. */
  readonly test: boolean;
  /** `data` of the body, unchecked but for being an object. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event as it comes out of verification; `type` tells which. */
export type WebhookEvent = RunEvent | UnknownEvent;
