import type { HeaderPair } from '../verdict/exchange.ts';

/** One request that arrived at the listener, as it came. */
export interface ReceivedDelivery {
  readonly method: string;
  readonly url: string;
  /** In the order of the wire, names as they were written, repeats included. */
  readonly headers: readonly HeaderPair[];
  readonly body: Buffer;
  /** Milliseconds since the epoch, by the suite's clock. */
  readonly arrivedAt: number;
  /** First value of a header, by lower-case name. */
  header(name: string): string | undefined;
  /** The body as a JSON object; an empty one when it is none. */
  readonly event: Readonly<Record<string, unknown>>;
  /** What the script answered. */
  readonly response: ListenerResponse;
}

/** An answer, a connection that is cut without one, or none until `release()`. */
export type ListenerResponse =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | 'reset'
  | 'hold';

/**
 * What the listener answers to the `tries`-th arrival (from 1) of an event id.
 */
export type ResponseScript = (
  delivery: Omit<ReceivedDelivery, 'response'>,
  tries: number,
) => ListenerResponse;
