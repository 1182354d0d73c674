/** A header as it stood on the wire; a repeated header is a repeated pair. */
export type HeaderPair = readonly [name: string, value: string];

/** One request with its answer, as the report shows it: bodies as text and shortened, secrets replaced. */
export interface HttpExchange {
  /** Who sent the request: the suite (API and receiver side) or the target (sender side). */
  readonly sentBy: 'suite' | 'target';
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly HeaderPair[];
    readonly body: string | null;
  };
  /** Null when no answer came. */
  readonly response: {
    readonly status: number;
    readonly headers: readonly HeaderPair[];
    readonly body: string | null;
  } | null;
}

const NOT_TEXT = '(not UTF-8, base64) ';
const SHOWN_BODY_CHARACTERS = 4_000;

/**
 * A body as text for an `Exchange`: UTF-8 when it is, else base64 with a note; shortened after 4,000 characters.
 * Null for no body. `redact` sees the whole text before it is cut, so that no half of a secret stays at the edge.
 */
export function showBody(
  bytes: Uint8Array | null,
  redact: (text: string) => string,
): string | null {
  if (bytes === null || bytes.byteLength === 0) return null;
  const text = redact(decode(bytes));
  if (text.length <= SHOWN_BODY_CHARACTERS) return text;
  return `${text.slice(0, SHOWN_BODY_CHARACTERS)}… (${bytes.byteLength} bytes in all)`;
}

/** Whether a text from `showBody` is the body itself, neither shortened nor in base64. */
export function isShownWhole(text: string | null): boolean {
  return text === null || !(text.startsWith(NOT_TEXT) || /… \(\d+ bytes in all\)$/.test(text));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return `${NOT_TEXT}${Buffer.from(bytes).toString('base64')}`;
  }
}
