import { escapeMarkup } from '../http/escape-markup.ts';

/** How a text may show a secret: as it is, percent-encoded, escaped for JSON or HTML, in hex and in base64. */
export function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const text = bytes.toString();
  const hex = bytes.toString('hex');
  const json = JSON.stringify(text).slice(1, -1);
  return [
    text,
    encodeURIComponent(text),
    new URLSearchParams({ '': text }).toString().slice(1),
    hex.replaceAll(/../g, '%$&'),
    json,
    json.replaceAll('/', String.raw`\/`),
    escapeMarkup(text),
    hex,
    ...[0, 1, 2].flatMap((before) => base64Within(bytes, before)),
  ];
}

/**
 * The characters that `bytes` have in base64 and base64url, whatever follows them and whatever the `before` bytes in
 * front of them are.
 */
function base64Within(bytes: Buffer, before: number): readonly string[] {
  const padded = Buffer.concat([Buffer.alloc(before), bytes]);
  const first = Math.ceil((before * 8) / 6);
  const end = Math.floor((padded.length * 8) / 6);
  const base64 = padded.toString('base64').slice(first, end);
  return [base64, base64.replaceAll('+', '-').replaceAll('/', '_')];
}
