import type { Attempt, AttemptOrder } from '../../platform/sender/attempt.ts';
import type { AttemptResult } from '../../platform/sender/attempt-result.ts';
import type { BeginAttempt } from '../../platform/sender/interceptor.ts';

/** The maximum number of attempts whose requests are kept. */
export const MAX_SENT_REQUESTS = 2_000;
/** The maximum size of their headers and bodies in total. */
export const MAX_SENT_BYTES: number = 8 * 1_048_576;

export interface RequestContent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Both sides of an attempt that was sent. */
export interface SentRequest {
  readonly url: string;
  /** The secret of the endpoint at that time. */
  readonly secret: string;
  /** The signed request. The same object as `sent` unless something altered it. */
  readonly original: RequestContent;
  readonly sent: RequestContent;
  /** Names and values in turn; null without a response. */
  readonly responseHeaders: readonly string[] | null;
}

/** A request that is kept, with the attempt that it belongs to. */
interface Kept extends SentRequest {
  readonly deliveryId: string;
  readonly number: number;
  /** What it counts towards {@link MAX_SENT_BYTES}. */
  readonly bytes: number;
}

/** The requests of the newest attempts. A restart removes them. */
export class SentRequests {
  /** Oldest first. */
  readonly #kept: Kept[] = [];
  #bytes = 0;

  /** Starts an attempt, and keeps its request when it is recorded. */
  intercept(order: AttemptOrder, next: BeginAttempt): Attempt {
    const attempt = next({
      ...order,
      onRecord: (number, result) => {
        if (result.isSent) this.#keep(keptOf(attempt, number, result));
      },
    });
    return attempt;
  }

  /** Returns the request of an attempt; null if it is no longer kept, or was not sent. */
  find(deliveryId: string, number: number): SentRequest | null {
    const isAsked = (kept: Kept): boolean =>
      kept.number === number && kept.deliveryId === deliveryId;
    return this.#kept.findLast(isAsked) ?? null;
  }

  #keep(kept: Kept): void {
    this.#kept.push(kept);
    this.#bytes += kept.bytes;
    while (this.#kept.length > MAX_SENT_REQUESTS || this.#bytes > MAX_SENT_BYTES) {
      this.#bytes -= this.#kept.shift()?.bytes ?? 0;
    }
  }
}

function keptOf(
  { order, request, sent }: Attempt,
  number: number,
  { responseHeaders }: AttemptResult,
): Kept {
  const { delivery, endpoint } = order;
  const isAltered = sent.body !== request.body || sent.headers !== request.headers;
  let bytes = sizeOf(request) + (isAltered ? sizeOf(sent) : 0);
  for (const text of responseHeaders ?? []) bytes += text.length;
  return {
    deliveryId: delivery.id,
    number,
    url: endpoint.url,
    secret: endpoint.secret,
    original: request,
    sent: isAltered ? sent : request,
    responseHeaders,
    bytes,
  };
}

function sizeOf({ headers, body }: RequestContent): number {
  let bytes = body.byteLength;
  for (const name in headers) bytes += name.length + (headers[name]?.length ?? 0);
  return bytes;
}
