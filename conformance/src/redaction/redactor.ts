import { formsOf } from './forms.ts';

/** Shorter texts would match by chance and make reports unreadable. */
export const MIN_SECRET_LENGTH = 8;

/** The variable of a key: `HOOKPROOF_KEY` for the main key, `HOOKPROOF_KEY_OTHER_TENANT` and so on. */
export function keyVariable(name: string): string {
  if (name === 'main' || name === 'wildcard') return 'HOOKPROOF_KEY';
  return `HOOKPROOF_KEY_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

interface Form {
  readonly text: string;
  readonly name: string;
}

/** Replaces known secrets in text by the names of their variables. */
export class Redactor {
  readonly #secrets = new Set<string>();
  /** The forms of all secrets by their first characters, so that the cost of a search does not grow with them. */
  readonly #forms = new Map<string, Form[]>();

  /**
   * From now on, `secret` is replaced by `$NAME`, or by `${NAME}` before a letter, a digit or `_`: as it is,
   * percent-encoded, escaped for JSON or HTML, in hex and in base64, each in upper or lower case. A secret with less than 8
   * characters is ignored.
   */
  add(name: string, secret: string): void {
    if (secret.length < MIN_SECRET_LENGTH || this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    for (const text of new Set(formsOf(secret).map(inLowerCase))) {
      const start = text.slice(0, MIN_SECRET_LENGTH);
      const form = { text, name };
      const others = this.#forms.get(start);
      if (others === undefined) this.#forms.set(start, [form]);
      else others.push(form);
    }
  }

  readonly redact = (text: string): string => {
    const searched = inLowerCase(text);
    let redacted = '';
    let from = 0;
    for (let at = 0; at + MIN_SECRET_LENGTH <= searched.length; at += 1) {
      const hit = this.#longestAt(searched, at);
      if (hit === null) continue;
      redacted += text.slice(from, at);
      from = at + hit.length;
      redacted += /^\w/.test(text.slice(from, from + 1)) ? `\${${hit.name}}` : `$${hit.name}`;
      at = from - 1;
    }
    return redacted + text.slice(from);
  };

  /** Redacts every string in a JSON value, keys of objects included, except in members with the names of `own`. */
  redactAll<T>(value: T, own?: ReadonlySet<string>): T;
  redactAll(value: unknown, own: ReadonlySet<string> = new Set()): unknown {
    if (typeof value === 'string') return this.redact(value);
    if (Array.isArray(value)) return value.map((item: unknown) => this.redactAll(item, own));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) =>
        own.has(key) ? [key, item] : [this.redact(key), this.redactAll(item, own)],
      ),
    );
  }

  /** The longest form that begins here: whole, or cut off before `…`, where the suite shortens a text. */
  #longestAt(
    searched: string,
    at: number,
  ): { readonly length: number; readonly name: string } | null {
    const forms = this.#forms.get(searched.slice(at, at + MIN_SECRET_LENGTH)) ?? [];
    const found = forms.flatMap(({ text, name }) => {
      const length = sharedLength(searched, at, text);
      const isFound = length === text.length || searched[at + length] === '…';
      return isFound ? [{ length, name }] : [];
    });
    return found.toSorted((one, other) => other.length - one.length)[0] ?? null;
  }
}

/** How many characters of `form` stand at `at`. */
function sharedLength(text: string, at: number, form: string): number {
  let length = 0;
  while (length < form.length && text[at + length] === form[length]) length += 1;
  return length;
}

/** A target may lower a secret, as in the name of a header. Only ASCII letters, so that every position stays the same. */
function inLowerCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
