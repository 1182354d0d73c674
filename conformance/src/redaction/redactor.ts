import { formsOf } from './forms.ts';
import { withoutLabel } from './label.ts';

/** Shorter texts would match by chance and make reports unreadable. */
export const MIN_SECRET_LENGTH = 8;

const MAX_VARIABLE = 64;

/** The variable of a key in the form of a real one that no target has issued. */
export const UNKNOWN_KEY = 'HOOKPROOF_UNKNOWN_KEY';
/** The variable of a key that nearly is the real one. No command shows how to make it. */
export const NEAR_KEY = 'HOOKPROOF_NEAR_KEY';

/** The variable of a key: `HOOKPROOF_KEY` for the main key, `HOOKPROOF_KEY_OTHER_TENANT` and so on. */
export function keyVariable(name: string): string {
  if (name === 'main' || name === 'wildcard') return 'HOOKPROOF_KEY';
  return `HOOKPROOF_KEY_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

/** A form of a secret, from its first character or from a later one. */
interface Part {
  readonly form: string;
  readonly start: number;
  readonly name: string;
  /** How many characters of the form give away eight of the secret. */
  readonly telling: number;
}

/** Replaces known secrets in text by the names of their variables. */
export class Redactor {
  readonly #secrets = new Set<string>();
  readonly #names = new Set<string>();
  /** The parts of all secrets by their first characters, so that the cost of a search does not grow with them. */
  readonly #parts = new Map<string, Part[]>();

  /**
   * From now on, `secret` is replaced by `$NAME`, or by `${NAME}` before a letter, a digit or `_`: as it is,
   * percent-encoded, escaped for JSON or HTML, in hex and in base64, each in upper or lower case. So is every piece of at
   * least eight characters, because half of a key is enough for a target that compares half; a label in front, such as
   * `sk_live_`, is no secret. A secret with less than 8 characters is ignored.
   */
  add(name: string, secret: string): void {
    if (secret.length < MIN_SECRET_LENGTH || this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    for (const form of new Set(formsOf(secret).map(inLowerCase))) {
      this.#index({ form, start: 0, name, telling: form.length });
    }
    const part = withoutLabel(secret);
    if (part.length < MIN_SECRET_LENGTH) return;
    for (const form of new Set(formsOf(part).map(inLowerCase))) {
      const telling = Math.max(
        MIN_SECRET_LENGTH,
        Math.floor((form.length * MIN_SECRET_LENGTH) / part.length),
      );
      for (let start = 0; start + telling <= form.length; start += 1) {
        this.#index({ form, start, name, telling });
      }
    }
  }

  #index(part: Part): void {
    this.#names.add(part.name);
    const beginning = part.form.slice(part.start, part.start + MIN_SECRET_LENGTH);
    const others = this.#parts.get(beginning);
    if (others === undefined) this.#parts.set(beginning, [part]);
    else others.push(part);
  }

  readonly redact = (text: string): string => {
    const searched = inLowerCase(text);
    let redacted = '';
    let from = 0;
    for (let at = 0; at + MIN_SECRET_LENGTH <= searched.length; at += 1) {
      const hit = this.#longestAt(searched, at);
      if (hit === null) {
        at += Math.max(0, this.#variableAt(text, at) - 1);
        continue;
      }
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

  /** The length of a variable of this redactor that stands here: a key of ordinary words may have a part of its name. */
  #variableAt(text: string, at: number): number {
    if (text[at] !== '$') return 0;
    const [whole = '', name = ''] =
      /^\$\{?([A-Z0-9_]+)/.exec(text.slice(at, at + MAX_VARIABLE)) ?? [];
    return this.#names.has(name) ? whole.length : 0;
  }

  /** The longest part that begins here: whole or telling, or cut off before `…`, where the suite shortens a text. */
  #longestAt(
    searched: string,
    at: number,
  ): { readonly length: number; readonly name: string } | null {
    const parts = this.#parts.get(searched.slice(at, at + MIN_SECRET_LENGTH)) ?? [];
    let longest: { readonly length: number; readonly name: string } | null = null;
    for (const { form, start, name, telling } of parts) {
      const length = sharedLength(searched, at, form, start);
      const isFound = length >= telling || searched[at + length] === '…';
      if (isFound && length > (longest?.length ?? 0)) longest = { length, name };
    }
    return longest;
  }
}

/** How many characters of `form`, from `start` on, stand at `at`. */
function sharedLength(text: string, at: number, form: string, start: number): number {
  let length = 0;
  while (start + length < form.length && text[at + length] === form[start + length]) length += 1;
  return length;
}

/** A target may lower a secret, as in the name of a header. Only ASCII letters, so that every position stays the same. */
function inLowerCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
