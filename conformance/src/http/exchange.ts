/** A header as it stood on the wire; a repeated header is a repeated pair. */
export type HeaderPair = readonly [name: string, value: string];

/** One request with its response, as a report shows it: bodies as shortened text, secrets replaced. */
export interface HttpExchange {
  /** Who sent the request: the suite (API and receiver side) or the target (sender side). */
  readonly sentBy: 'suite' | 'target';
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly HeaderPair[];
    readonly body: string | null;
  };
  /** Null without a response. */
  readonly response: {
    readonly status: number;
    readonly headers: readonly HeaderPair[];
    readonly body: string | null;
  } | null;
}

/** One attempt to deliver an event, as the listener of the suite saw it. */
export interface DeliveryAttempt {
  /** Seconds after the first attempt, by the clock of the suite. */
  readonly seconds: number;
  /** What the sender stated as the time of the attempt; null without the header. */
  readonly webhookTimestamp: string | null;
  /** What the suite responded: `503`, `a reset`, `429 with Retry-After`. */
  readonly response: string;
}

const NOT_TEXT = '(not UTF-8, base64) ';
const MAX_SHOWN_CHARACTERS = 4_000;
/** More than is shown, so that what is redacted at the cut is redacted whole. The rest of a large body is not read. */
const MAX_READ_BYTES = 64 * 1024;

/**
 * A body as text for an `HttpExchange`: UTF-8 where it is valid, else base64 with a note; at most 4,000 characters.
 * Null for no body. `redact` sees more than is shown, so that no half of a secret stays at the edge.
 */
export function showBody(
  bytes: Uint8Array | null,
  redact: (text: string) => string,
): string | null {
  if (bytes === null || bytes.byteLength === 0) return null;
  const text = redact(decode(bytes.subarray(0, MAX_READ_BYTES)));
  if (text.length <= MAX_SHOWN_CHARACTERS && bytes.byteLength <= MAX_READ_BYTES) return text;
  return `${text.slice(0, MAX_SHOWN_CHARACTERS)}… (${bytes.byteLength} bytes in all)`;
}

/** Whether a text from `showBody` is the body itself, neither shortened nor in base64. */
export function isShownWhole(text: string | null): boolean {
  return text === null || !(text.startsWith(NOT_TEXT) || /… \(\d+ bytes in all\)$/.test(text));
}

/** The last character of a part of a body may be incomplete. */
function decode(bytes: Uint8Array): string {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return decoder.decode(bytes, { stream: bytes.byteLength === MAX_READ_BYTES });
  } catch {
    return `${NOT_TEXT}${Buffer.from(bytes).toString('base64')}`;
  }
}
