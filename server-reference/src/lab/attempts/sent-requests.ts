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

/** The requests of the newest attempts. A restart removes them. */
export class SentRequests {
  /** By delivery and number, oldest first. */
  readonly #kept = new Map<string, { readonly entry: SentRequest; readonly bytes: number }>();
  #bytes = 0;

  /** Starts an attempt, and keeps its request when it is recorded. */
  intercept(order: AttemptOrder, next: BeginAttempt): Attempt {
    const attempt = next({
      ...order,
      onRecord: (number, result) => {
        if (result.isSent) this.#keep(attempt, number, result);
      },
    });
    return attempt;
  }

  /** Returns the request of an attempt; null if it is no longer kept, or was not sent. */
  find(deliveryId: string, number: number): SentRequest | null {
    return this.#kept.get(keyOf(deliveryId, number))?.entry ?? null;
  }

  #keep(
    { order, request, sent }: Attempt,
    number: number,
    { responseHeaders }: AttemptResult,
  ): void {
    const { delivery, endpoint } = order;
    const isAltered = sent.body !== request.body || sent.headers !== request.headers;
    const entry: SentRequest = {
      url: endpoint.url,
      secret: endpoint.secret,
      original: request,
      sent: isAltered ? sent : request,
      responseHeaders,
    };
    const key = keyOf(delivery.id, number);
    const bytes = sizeOf(entry);
    this.#remove(key);
    this.#kept.set(key, { entry, bytes });
    this.#bytes += bytes;
    while (this.#kept.size > MAX_SENT_REQUESTS || this.#bytes > MAX_SENT_BYTES)
      this.#removeOldest();
  }

  #removeOldest(): void {
    for (const key of this.#kept.keys()) return this.#remove(key);
  }

  #remove(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#bytes -= kept.bytes;
  }
}

function keyOf(deliveryId: string, number: number): string {
  return `${deliveryId} ${number}`;
}

function sizeOf({ original, sent, responseHeaders }: SentRequest): number {
  const response = (responseHeaders ?? []).reduce((sum, text) => sum + text.length, 0);
  return contentSize(original) + (sent === original ? 0 : contentSize(sent)) + response;
}

function contentSize({ headers, body }: RequestContent): number {
  let bytes = body.byteLength;
  for (const name in headers) bytes += name.length + (headers[name]?.length ?? 0);
  return bytes;
}
