/** One of the three signature headers, by what follows `webhook-` in its name. */
export type HeaderPart = 'id' | 'timestamp' | 'signature';

/** The form of each signature header, and how a message puts it. */
export const HEADER_FORMS: Readonly<
  Record<HeaderPart, { readonly form: RegExp; readonly expected: string }>
> = {
  // No comma: a repeated header that a proxy joined with commas can never pass as one id.
  id: { form: /^[!-+\--~]{1,256}$/, expected: '1 to 256 visible ASCII characters, no comma' },
  // Each number has one spelling.
  timestamp: { form: /^(?:0|[1-9]\d{0,11})$/, expected: 'Unix seconds in 1 to 12 digits' },
  // `readDigest` looks at the rest: a pattern for it costs more than all other forms together.
  signature: { form: /^v1,/, expected: '"v1," and 64 hex digits' },
};

const DIGITS_START = 3;
const SIGNATURE_LENGTH = 67;

/** Writes the 32 bytes that the 64 hex digits after `v1,` mean to `target`; false when they are not that. */
export function readDigest(signature: string, target: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_LENGTH) return false;
  for (let position = DIGITS_START; position < SIGNATURE_LENGTH; position += 2) {
    const high = HEX_VALUES[signature.charCodeAt(position)] ?? -1;
    const low = HEX_VALUES[signature.charCodeAt(position + 1)] ?? -1;
    if (high < 0 || low < 0) return false;
    target[(position - DIGITS_START) / 2] = (high << 4) | low;
  }
  return true;
}

/** Value of each ASCII hex digit by its character code, -1 for every other character. */
const HEX_VALUES = Int8Array.from({ length: 128 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
);
