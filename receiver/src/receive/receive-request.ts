import type { Clock } from '../clock.ts';
import type { HeaderSource } from '../verify/header-source.ts';

/** How much of a body may be read, and how long it may take. */
export interface BodyLimits {
  readonly limitBytes: number;
  readonly timeoutMilliseconds: number;
  readonly clock: Clock;
}

/** Why there are no bytes. */
export type BodyFailure = 'body_too_large' | 'body_stalled' | 'body_aborted' | 'body_already_read';

/** One HTTP request, as an adapter hands it in. */
export interface ReceiveRequest {
  readonly method: string;
  readonly contentType: string | undefined;
  readonly headers: HeaderSource;
  /** The raw bytes, or a function that reads them within the limits. */
  readonly body: Uint8Array | ((limits: BodyLimits) => Promise<Uint8Array | BodyFailure>);
}
