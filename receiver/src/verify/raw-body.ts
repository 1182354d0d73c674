import { isUint8Array } from 'node:util/types';

import { WebhookVerificationError } from './errors.ts';

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Refuses a body that is not bytes. `isUint8Array` and not `instanceof`, because the latter fails for
 * a Buffer of another realm, which test runners have.
 */
export function requireRawBytes(rawBody: unknown): void {
  if (isUint8Array(rawBody)) return;
  const received = rawBody === null ? rawBody : typeof rawBody;
  throw new TypeError(
    `rawBody must be the received bytes, got ${received}. Take them before any parser, as express.raw() does.`,
  );
}

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
    throw senderError('body_not_utf8', 'Body must be UTF-8, got other bytes');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw senderError(
      'body_not_json',
      `Body must be JSON, got ${text.length} characters that are not`,
    );
  }
}

/** Reports a body that is authentic but wrong, which only its sender can fix. */
export function senderError(
  code: WebhookVerificationError['code'],
  problem: string,
): WebhookVerificationError {
  return new WebhookVerificationError(
    code,
    `${problem}. The signature is valid, so report this to the sender.`,
  );
}
