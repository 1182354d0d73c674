import type { SignedRequest } from './signers.ts';

/** A receiver or an ingress, as far as a sender needs it. */
export interface ReceivingEnd {
  /** Takes a delivery, and returns what to respond. */
  receive(request: {
    /** The HTTP method: `POST`. */
    readonly method: string;
    /** The request headers, with those of the signature. */
    readonly headers: Readonly<Record<string, string>>;
    /** The bytes that are signed. */
    readonly body: Uint8Array;
  }): Promise<{
    /** The HTTP status. */
    readonly status: number;
    /** The response headers. */
    readonly headers: Readonly<Record<string, string>>;
    /** What was done with the delivery. */
    readonly code: string;
  }>;
}

/** The response to one attempt. */
export interface TargetResponse {
  /** `null`: the connection failed. */
  readonly status: number | null;
  /**
   * The code of a receiver's response. `null` over HTTP when the body has none, as that of a 2xx.
   */
  readonly code: string | null;
  /** The header `Retry-After` in seconds; `null` without it. */
  readonly retryAfterSeconds: number | null;
}

/** Delivers one signed event. */
export type DeliveryTarget = (delivery: SignedRequest) => Promise<TargetResponse>;

/** Returns a target that calls a receiver directly. */
export function receiverTarget(receiver: ReceivingEnd): DeliveryTarget {
  return async ({ headers, body }) => {
    const response = await receiver.receive({ method: 'POST', headers, body });
    const retryAfterSeconds = secondsOf(response.headers['retry-after']);
    return { status: response.status, code: response.code, retryAfterSeconds };
  };
}

/**
 * Returns a target that sends HTTP requests. A redirect is not followed.
 *
 * @throws {TypeError} When the URL is invalid.
 */
export function httpTarget(url: string): DeliveryTarget {
  if (!URL.canParse(url)) throw new TypeError(`url must be a URL, got ${JSON.stringify(url)}.`);
  return async ({ headers, body }) => {
    const init = {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      redirect: 'manual',
    } as const;
    try {
      const response = await fetch(url, init);
      const retryAfterSeconds = secondsOf(response.headers.get('retry-after'));
      return { status: response.status, code: codeIn(await response.text()), retryAfterSeconds };
    } catch {
      return { status: null, code: null, retryAfterSeconds: null };
    }
  };
}

function secondsOf(retryAfter: string | null = null): number | null {
  return retryAfter !== null && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : null;
}

function codeIn(body: string): string | null {
  const [, code = null] = /^\{"code":"([a-z0-9_]+)"\}$/.exec(body) ?? [];
  return code;
}
