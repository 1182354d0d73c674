/** Replaces known secrets in text by the name of the variable that holds them. */
export interface Redactor {
  /** From now on `secret`, in each form it may take on the wire, is replaced by `$NAME`. */
  add(name: string, secret: string): void;
  readonly redact: (text: string) => string;
  /** The same for every string in a JSON value, keys of objects included. */
  redactAll<T>(value: T): T;
}

/** Shorter texts would match by chance and blot out the report. */
export const SHORTEST_SECRET = 8;

/** The variable that stands for a key: `HOOKPROOF_KEY` for the owner's, `HOOKPROOF_KEY_OTHER_TENANT` and so on. */
export function keyVariable(name: string): string {
  if (name === 'main' || name === 'wildcard') return 'HOOKPROOF_KEY';
  return `HOOKPROOF_KEY_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

export function createRedactor(): Redactor {
  const patterns = new Map<string, { readonly pattern: RegExp; readonly placeholder: string }>();

  const redact = (text: string): string => {
    let clean = text;
    for (const { pattern, placeholder } of patterns.values()) {
      clean = clean.replace(pattern, () => placeholder);
    }
    return clean;
  };

  return {
    add(name, secret) {
      if (secret.length < SHORTEST_SECRET || patterns.has(secret)) return;
      patterns.set(secret, { pattern: anyFormOf(secret), placeholder: `$${name}` });
    },
    redact,
    redactAll: (value) => redactValue(value, redact),
  };
}

function redactValue<T>(value: T, redact: (text: string) => string): T;
function redactValue(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item: unknown) => redactValue(item, redact));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redact(key), redactValue(item, redact)]),
  );
}

/** Ignoring case costs nothing and catches echoes that were lowered, such as header names. */
function anyFormOf(secret: string): RegExp {
  const forms = [...new Set(parts(secret).flatMap(formsOf))]
    .filter((form) => form.length >= SHORTEST_SECRET)
    .toSorted((one, other) => other.length - one.length);
  return new RegExp(forms.map(escapeForPattern).join('|'), 'gi');
}

/** The secret, its part after a prefix such as `whsec_`, and the bytes that this part may stand for. */
function parts(secret: string): Buffer[] {
  const afterPrefix = secret.slice(secret.indexOf('_') + 1);
  return [Buffer.from(secret), Buffer.from(afterPrefix), Buffer.from(afterPrefix, 'base64')].filter(
    (bytes) => bytes.length >= SHORTEST_SECRET,
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
    escapeForHtml(text),
    hex,
    hex.replace(/../g, '%$&'),
    ...[0, 1, 2].flatMap((before) => base64Inside(bytes, before)),
  ];
}

/** The base64 characters that depend on the secret alone when `before` other bytes stand in front of it. */
function base64Inside(bytes: Buffer, before: number): string[] {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  const firstOwn = Math.ceil((before * 8) / 6);
  const lastOwn = Math.floor(((before + bytes.length) * 8) / 6);
  const inside = encoded.slice(firstOwn, lastOwn);
  return [inside, inside.replaceAll('+', '-').replaceAll('/', '_')];
}

function escapeForHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

function escapeForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
