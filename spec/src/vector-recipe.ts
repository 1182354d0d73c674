import { createHmac } from 'node:crypto';

import type { HeaderPair, KeyForm, SignatureVector } from './signature-vector.ts';

/** A vector for one time and secret: what was signed, and what to send. */
export interface PreparedVector {
  readonly headers: readonly HeaderPair[];
  readonly body: Buffer;
  readonly signed: {
    readonly keyHex: string;
    readonly id: string;
    readonly timestamp: string;
    readonly body: Buffer;
    /** Lower-case hex of the MAC. */
    readonly digest: string;
  };
}

/** A secret that the receiver does not know. */
const OTHER_SECRET = 'whsec_YW5vdGhlciBlbmRwb2ludCwgYW5vdGhlciBzZWNyZXQ=';

/**
 * Prepares a vector for a secret and a time, as its recipe says.
 *
 * @param options.secret The secret that the receiver under test is configured with.
 * @param options.now The receiver's current time, in whole seconds since the epoch.
 * @param options.key The receiver's key. Default: the UTF-8 bytes of the whole secret.
 * @example
 * ```ts
 * import { loadSignatureVectors, prepareVector } from '@hookproof/spec/vectors';
 *
 * const now = Math.floor(Date.now() / 1000);
 * for (const vector of loadSignatureVectors().groups.flatMap(({ vectors }) => vectors)) {
 *   const { headers, body } = prepareVector(vector, { secret: 'whsec_c2VjcmV0', now });
 *   console.log(vector.id, headers, body.length);
 * }
 * ```
 */
export function prepareVector(
  vector: SignatureVector,
  options: { readonly secret: string; readonly now: number; readonly key?: Uint8Array },
): PreparedVector {
  const { recipe } = vector;
  const seconds = options.now + recipe.timestampOffset;
  const body = bytesOf(vector.bodyBase64, vector.bodyTrailingSpaces);
  const signedBody =
    vector.signed.bodyBase64 === undefined
      ? body
      : bytesOf(vector.signed.bodyBase64, vector.signed.bodyTrailingSpaces);
  const key =
    recipe.key === 'utf8' && options.key !== undefined
      ? Buffer.from(options.key)
      : KEY_BYTES[recipe.key](options.secret);
  const id = fillTimestamp(recipe.signedId, seconds);
  const timestamp = fillTimestamp(recipe.signedTimestamp, seconds);
  const digest = createHmac('sha256', key)
    .update(`${id}.${timestamp}.`, 'latin1')
    .update(signedBody)
    .digest();
  return {
    headers: recipe.headers.map(([name, value]) => [
      name,
      fillDigest(fillTimestamp(value, seconds), digest),
    ]),
    body,
    signed: {
      keyHex: key.toString('hex'),
      id,
      timestamp,
      body: signedBody,
      digest: digest.toString('hex'),
    },
  };
}

function bytesOf(base64: string, trailingSpaces = 0): Buffer {
  return Buffer.concat([Buffer.from(base64, 'base64'), Buffer.alloc(trailingSpaces, 0x20)]);
}

const KEY_BYTES: Readonly<Record<KeyForm, (secret: string) => Buffer>> = {
  utf8: (secret) => Buffer.from(secret, 'utf8'),
  'utf8-without-prefix': (secret) => Buffer.from(withoutPrefix(secret), 'utf8'),
  'base64-after-prefix': (secret) => Buffer.from(withoutPrefix(secret), 'base64'),
  'utf8-and-newline': (secret) => Buffer.from(`${secret}\n`, 'utf8'),
  other: () => Buffer.from(OTHER_SECRET, 'utf8'),
  empty: () => Buffer.alloc(0),
};

function withoutPrefix(secret: string): string {
  return secret.slice('whsec_'.length);
}

function fillTimestamp(template: string, seconds: number): string {
  return template.replaceAll(/\{timestamp(?:\|([a-z0-9-]+))?\}/g, (_, form: string | undefined) =>
    timestampIn(form, seconds),
  );
}

function timestampIn(form: string | undefined, seconds: number): string {
  const decimal = String(seconds);
  switch (form) {
    case undefined:
      return decimal;
    case 'minus-one':
      return String(seconds - 1);
    case 'hex':
      return seconds.toString(16);
    case 'grouped':
      return decimal.replaceAll(/\B(?=(?:\d{3})+$)/g, '_');
    case 'exponent':
      return `${decimal.slice(0, 1)}.${decimal.slice(1)}e${decimal.length - 1}`;
    case 'iso':
      return new Date(seconds * 1000).toISOString();
    case 'http-date':
      return new Date(seconds * 1000).toUTCString();
    case 'arabic-indic':
      return utf8Octets(decimal, 0x660);
    case 'full-width':
      return utf8Octets(decimal, 0xff10);
    case 'plus-32-bits':
      return String(2n ** 32n + BigInt(seconds));
    case 'plus-64-bits':
      return String(2n ** 64n + BigInt(seconds));
    default:
      throw new TypeError(`Unknown timestamp form "${form}".`);
  }
}

/** Returns decimal digits of another script in UTF-8, with one character per octet, like all headers here. */
function utf8Octets(decimal: string, zero: number): string {
  const digits = Array.from(decimal, (digit) => String.fromCharCode(zero + Number(digit)));
  return Buffer.from(digits.join(''), 'utf8').toString('latin1');
}

function fillDigest(template: string, digest: Buffer): string {
  return template.replaceAll(/\{digest(?:\|([a-z0-9-]+))?\}/g, (_, form: string | undefined) =>
    digestIn(form, digest),
  );
}

function digestIn(form: string | undefined, digest: Buffer): string {
  const hex = digest.toString('hex');
  switch (form) {
    case undefined:
      return hex;
    case 'upper':
      return hex.toUpperCase();
    case 'mixed':
      return hex.slice(0, 32).toUpperCase() + hex.slice(32);
    case 'base64':
      return digest.toString('base64');
    case 'base64url':
      return digest.toString('base64url');
    case 'first-half':
      return hex.slice(0, 32);
    case 'second-half':
      return hex.slice(32);
    case 'drop-last':
      return hex.slice(0, -1);
    case 'flip-first':
      return flipDigit(hex.slice(0, 1)) + hex.slice(1);
    case 'flip-last':
      return hex.slice(0, -1) + flipDigit(hex.slice(-1));
    default:
      throw new TypeError(`Unknown digest form "${form}".`);
  }
}

function flipDigit(digit: string): string {
  return (Number.parseInt(digit, 16) ^ 1).toString(16);
}
