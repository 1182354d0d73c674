import { TERMINAL_RUN_STATUSES } from '@hookproof/spec';

import type { HeaderPair } from '../http/exchange.ts';

/** One request that the listener received. */
export interface ReceivedDelivery {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** In wire order and original case, repeats included. */
  readonly headers: readonly HeaderPair[];
  readonly body: Buffer;
  /** Milliseconds since the epoch, by the suite's clock. */
  readonly arrivedAt: number;
  /** First value of a header, by its name in any case. */
  header(name: string): string | undefined;
  /** The body as a JSON object; empty when it is not one. */
  readonly event: Readonly<Record<string, unknown>>;
  /** Every arrival of its event at the same listener so far, in order. */
  attempts(): readonly ReceivedDelivery[];
  /** What the listener sent back. */
  readonly response: ListenerResponse;
}

/** A response; `reset` closes the connection without one; `hold` sends none until `release()`. */
export type ListenerResponse =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  | 'reset'
  | 'hold';

/** Chooses the response to a delivery. `attempt` counts the arrivals of its event id, from 1. */
export type ResponseScript = (
  delivery: Omit<ReceivedDelivery, 'response'>,
  attempt: number,
) => ListenerResponse;

/** The response of an endpoint that accepts a delivery. */
export const ACCEPTED: ListenerResponse = { status: 204 };

/** `data` of an event; empty without it. */
export function dataOf(
  event: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object(event['data']);
}

/** `data.run` of an event; empty without it. */
export function runOf(event: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object(dataOf(event)['run']);
}

/** Whether a run in this status has ended. */
export function isTerminal(status: unknown): boolean {
  return TERMINAL_RUN_STATUSES.some((terminal) => terminal === status);
}
