import type { ApiResponse } from './api-client.ts';
import type { HeaderPair } from '../verdict/exchange.ts';

/** One request to the receiver under test, byte for byte as given. */
export interface ReceiverRequest {
  /** Default POST. */
  readonly method?: string;
  /** In this order, repeats included. Nothing is added but `host`, `connection` and `content-length`. */
  readonly headers: readonly HeaderPair[];
  readonly body: Uint8Array | string;
}

/** The receiver under test. Every body that can verify carries `test: true`: that is on the check. */
export interface ReceiverClient {
  readonly secret: string;
  /** How the secret becomes key bytes: the whole string as UTF-8, or the part after `whsec_` from base64. */
  readonly secretEncoding: 'utf8' | 'base64';
  /** Receiver's clock minus ours, from the Date header, to the second; null when it sends none. */
  readonly clockOffsetMilliseconds: number | null;
  /** Sends one delivery. Throws `NoResponse` when no whole answer came. Any status is returned, 429 and 503 too. */
  deliver(request: ReceiverRequest): Promise<ApiResponse>;
  /** GET on the observer address. Throws `CouldNotRun` when none was given; declare the need `receiver.observer`. */
  observe(): Promise<ApiResponse>;
}
