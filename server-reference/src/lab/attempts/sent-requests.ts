import type { AttemptOrder, AttemptResult, DeliveryRequest } from '../../events/order.ts';

/** The maximum number of attempts whose requests are kept. */
const MAX_SENT_REQUESTS = 2_000;
/** The maximum size of their headers and bodies in total. */
const MAX_SENT_BYTES: number = 8 * 1_048_576;

export type RequestContent = Pick<DeliveryRequest, 'headers' | 'body'>;

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

  /** Keeps the request of an attempt when it is recorded. Returns the result. */
  keep(order: AttemptOrder, result: AttemptResult): AttemptResult {
    const { sent } = result;
    if (sent !== null) {
      order.onRecorded((number) => {
        if (number !== null) this.#add(keptOf(order, number, { ...result, sent }));
      });
    }
    return result;
  }

  /** Returns the request of an attempt; null if it is no longer kept, or was not sent. */
  find(deliveryId: string, number: number): SentRequest | null {
    const isAsked = (kept: Kept): boolean =>
      kept.number === number && kept.deliveryId === deliveryId;
    return this.#kept.findLast(isAsked) ?? null;
  }

  #add(kept: Kept): void {
    this.#kept.push(kept);
    this.#bytes += kept.bytes;
    while (this.#kept.length > MAX_SENT_REQUESTS || this.#bytes > MAX_SENT_BYTES) {
      this.#bytes -= this.#kept.shift()?.bytes ?? 0;
    }
  }
}

function keptOf(
  { deliveryId, secret, request: original }: AttemptOrder,
  number: number,
  { headers, sent }: AttemptResult & { readonly sent: DeliveryRequest },
): Kept {
  const isAltered = sent.body !== original.body || sent.headers !== original.headers;
  let bytes = sizeOf(original) + (isAltered ? sizeOf(sent) : 0);
  for (const text of headers ?? []) bytes += text.length;
  return {
    deliveryId,
    number,
    url: original.url,
    secret,
    original,
    sent: isAltered ? sent : original,
    responseHeaders: headers,
    bytes,
  };
}

function sizeOf({ headers, body }: RequestContent): number {
  let bytes = body.byteLength;
  for (const name in headers) bytes += name.length + (headers[name]?.length ?? 0);
  return bytes;
}
