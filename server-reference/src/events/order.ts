import type { ClientRequest } from 'node:http';

import type { TrackedHandle } from '../clock/clock.ts';

/** The request of an attempt. */
export interface DeliveryRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** One attempt to deliver an event to an endpoint. An interceptor may pass a changed copy. */
export interface AttemptOrder {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly endpointId: string;
  /** The secret of the endpoint. */
  readonly secret: string;
  /** The signed request. */
  readonly request: DeliveryRequest;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Aborted at the deadline of the attempt with the reason `timeout`, and with `closed` when the server closes. */
  readonly signal: AbortSignal;
  /** Pause it while the attempt waits for the clock. A virtual clock waits for all other attempts. */
  readonly tracked: TrackedHandle;
  /**
   * Calls back in the commit that records the attempt, with its number; again if the commit is repeated. Calls back
   * with null when the attempt ends without being recorded.
   */
  onRecorded(listener: (number: number | null) => void): void;
  /** Writes the body, and ends the request. Default: the whole body at once. */
  readonly writeBody?: ((request: ClientRequest) => void) | undefined;
}

/** The result of an attempt: a response, or an error. */
export interface AttemptResult {
  /** The status of the response; null without one. */
  readonly status: number | null;
  /** The headers of the response, names and values in turn, as received. Null without a response. */
  readonly headers: readonly string[] | null;
  /** The beginning of the body of the response, as text. */
  readonly body: string | null;
  /**
   * `timeout`, `target_refused`, `too_many_interim_responses`, or the `code` of an error, such as `ECONNREFUSED`.
   * Null with a response.
   */
  readonly error: string | null;
  /** The message of the error; null without one. */
  readonly detail: string | null;
  /** The request as it was sent; null if nothing was sent. */
  readonly sent: DeliveryRequest | null;
  /** The delivery fault to record with the attempt. Default none. */
  readonly deliveryFault?: string;
}

/** Sends the request of an attempt. */
export type SendAttempt = (order: AttemptOrder) => Promise<AttemptResult>;

/**
 * Stands between the sender and the network, for each attempt. It may change the order and the result, and send the
 * request several times or not at all. An error that it throws is recorded as a network failure.
 *
 * @example
 * ```ts
 * import { createServer } from '@hookproof/server-reference';
 *
 * // A sender that writes the event type into a header of its own.
 * const server = await createServer({
 *   store: { kind: 'memory' },
 *   deliveryInterceptor(order, next) {
 *     const { type } = JSON.parse(order.request.body.toString());
 *     const headers = { ...order.request.headers, 'x-event-type': type };
 *     return next({ ...order, request: { ...order.request, headers } });
 *   },
 * });
 * await server.close();
 * ```
 */
export type DeliveryInterceptor = (
  order: AttemptOrder,
  next: SendAttempt,
) => Promise<AttemptResult>;

/**
 * Stands between the sender and the network. With null it puts the delivery off: the sender makes no attempt until
 * the delivery is enqueued again.
 */
export type SenderInterceptor = (
  order: AttemptOrder,
  next: SendAttempt,
) => Promise<AttemptResult | null>;
