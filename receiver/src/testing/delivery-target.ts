import type { SignedDelivery } from './sign.ts';

/** A receiver or an ingress, as far as a sender needs it. */
export interface ReceivingEnd {
  receive(request: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Uint8Array;
  }): Promise<{
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  }>;
}

/** The response to one attempt. */
export interface TargetResponse {
  /** `null`: the connection failed. */
  readonly status: number | null;
  /** The `code` in the body of a response of this package; `null` for any other body. */
  readonly code: string | null;
  /** The header `Retry-After` in seconds; `null` without it. */
  readonly retryAfterSeconds: number | null;
}

/** Delivers one signed event. */
export type DeliveryTarget = (delivery: SignedDelivery) => Promise<TargetResponse>;

/** Returns a target that calls a receiver directly. */
export function receiverTarget(receiver: ReceivingEnd): DeliveryTarget {
  return async ({ headers, body }) => {
    const response = await receiver.receive({ method: 'POST', headers, body });
    return readResponse(response.status, response.headers['retry-after'], response.body);
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
      return readResponse(
        response.status,
        response.headers.get('retry-after') ?? undefined,
        await response.text(),
      );
    } catch {
      return { status: null, code: null, retryAfterSeconds: null };
    }
  };
}

function readResponse(status: number, retryAfter = '', body: string): TargetResponse {
  const retryAfterSeconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : null;
  return { status, code: codeIn(body), retryAfterSeconds };
}

function codeIn(body: string): string | null {
  const [, code = null] = /^\{"code":"([a-z0-9_]+)"\}$/.exec(body) ?? [];
  return code;
}
