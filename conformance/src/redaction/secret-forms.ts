/** Shorter texts would match by chance and make reports unreadable. */
export const MIN_SECRET_LENGTH = 8;

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The texts that a secret may become on the wire, longest first, each with at least 8 characters. */
export function formsOfSecret(secret: string): string[] {
  return [...new Set(parts(secret).flatMap(formsOf))]
    .filter((form) => form.length >= MIN_SECRET_LENGTH)
    .toSorted((one, other) => other.length - one.length);
}

/** A text as HTML, in content or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => HTML_ENTITIES[character] ?? character);
}

/** The secret, its part after a prefix such as `whsec_`, and the bytes that this part may encode. */
function parts(secret: string): Buffer[] {
  const afterPrefix = secret.slice(secret.indexOf('_') + 1);
  return [Buffer.from(secret), Buffer.from(afterPrefix), Buffer.from(afterPrefix, 'base64')].filter(
    (bytes) => bytes.length >= MIN_SECRET_LENGTH,
  );
}

function formsOf(bytes: Buffer): string[] {
  const text = bytes.toString('utf8');
  const hex = bytes.toString('hex');
  return [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
    new URLSearchParams({ '': text }).toString().slice(1),
    escapeHtml(text),
    hex,
    hex.replace(/../g, '%$&'),
    ...[0, 1, 2].flatMap((before) => base64Inside(bytes, before)),
  ];
}

/** The base64 characters that depend on the secret alone when `before` other bytes precede it. */
function base64Inside(bytes: Buffer, before: number): string[] {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  const firstOwn = Math.ceil((before * 8) / 6);
  const lastOwn = Math.floor(((before + bytes.length) * 8) / 6);
  const inside = encoded.slice(firstOwn, lastOwn);
  return [inside, inside.replaceAll('+', '-').replaceAll('/', '_')];
}
