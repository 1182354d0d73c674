import { SIGNATURE_PREFIX } from '@hookproof/spec';

/** Longest `webhook-id` accepted, in characters. */
const LONGEST_ID = 256;
const LONGEST_TIMESTAMP = 12;
const DIGEST_BYTES = 32;

/**
 * 1 to 256 visible ASCII characters without a comma: a repeated header that a proxy or a framework
 * joined with commas can never pass as one id.
 */
export function isDeliveryId(value: string): boolean {
  if (value.length === 0 || value.length > LONGEST_ID) return false;
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    if (code <= 0x20 || code >= 0x7f || code === 0x2c) return false;
  }
  return true;
}

/**
 * The number that a timestamp spells: `0`, or one to twelve decimal digits without a leading zero, so
 * that each number has one spelling. -1 for every other text.
 */
export function readTimestamp(value: string): number {
  const { length } = value;
  if (length === 0 || length > LONGEST_TIMESTAMP) return -1;
  if (length > 1 && value.charCodeAt(0) === 0x30) return -1;
  let seconds = 0;
  for (let index = 0; index < length; index += 1) {
    const digit = value.charCodeAt(index) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    seconds = seconds * 10 + digit;
  }
  return seconds;
}

/**
 * Reads `v1,` and exactly 64 hex digits of either case, writing the 32 bytes they mean to `target`.
 * False when the value has any other form; `target` is then worth nothing.
 */
export function readDigest(value: string, target: Uint8Array): boolean {
  if (value.length !== SIGNATURE_PREFIX.length + 2 * DIGEST_BYTES) return false;
  if (!value.startsWith(SIGNATURE_PREFIX)) return false;
  let position = SIGNATURE_PREFIX.length;
  for (let index = 0; index < DIGEST_BYTES; index += 1) {
    const high = HEX_VALUES[value.charCodeAt(position)] ?? -1;
    const low = HEX_VALUES[value.charCodeAt(position + 1)] ?? -1;
    if (high < 0 || low < 0) return false;
    target[index] = (high << 4) | low;
    position += 2;
  }
  return true;
}

/** Value of each ASCII hex digit by its character code, -1 for every other character. */
const HEX_VALUES = Int8Array.from({ length: 128 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
);
