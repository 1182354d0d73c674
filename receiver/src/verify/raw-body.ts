import { mustBe, refusal } from './errors.ts';
import type { WebhookVerificationError } from './errors.ts';

/**
 * Refuses a body that is not bytes. Asks for the tag too, because `instanceof` fails for a Buffer
 * of another realm, which test runners have.
 *
 * @throws {TypeError} When `rawBody` is not a Uint8Array. The message never shows it.
 */
export function requireRawBytes(rawBody: unknown, name: string = 'rawBody'): void {
  if (rawBody instanceof Uint8Array) return;
  const tag = Object.prototype.toString.call(rawBody).slice(8, -1);
  if (tag === 'Uint8Array') return;
  const fix = ' Take the bytes before any parser; wrap an ArrayBuffer.';
  throw new TypeError(mustBe(name, 'a Buffer or Uint8Array', tag, fix));
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses verified bytes as JSON. A byte order mark is refused, because JSON has none.
 *
 * @throws {WebhookVerificationError} `body_not_utf8` or `body_not_json`.
 */
export function parseJson(rawBody: Uint8Array): unknown {
  let text: string;
  try {
    text = UTF_8.decode(rawBody);
  } catch {
    throw senderError('body_not_utf8', 'Body', 'UTF-8', 'other bytes');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw senderError('body_not_json', 'Body', 'JSON', 'other text');
  }
}

/** Reports a body that is authentic but wrong, which only its sender can fix. */
export function senderError(
  code: Parameters<typeof refusal<'event'>>[1],
  ...[subject, expected, received]: [subject: string, expected: string, received: string]
): WebhookVerificationError {
  const fix = ' The signature is valid, so report this to the sender.';
  return refusal('event', code, subject, expected, received, fix);
}
