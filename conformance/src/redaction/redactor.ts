import { formsOfSecret, MIN_SECRET_LENGTH } from './secret-forms.ts';

/** Replaces known secrets in text by the names of their variables. */
export interface Redactor {
  /** From now on, `secret` in any form it may take on the wire is replaced by `$NAME`. */
  add(name: string, secret: string): void;
  readonly redact: (text: string) => string;
  /** Redacts every string in a JSON value, keys of objects included. */
  redactAll<T>(value: T): T;
}

/** The variable of a key: `HOOKPROOF_KEY` for the main key, `HOOKPROOF_KEY_OTHER_TENANT` and so on. */
export function keyVariable(name: string): string {
  if (name === 'main' || name === 'wildcard') return 'HOOKPROOF_KEY';
  return `HOOKPROOF_KEY_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

export function createRedactor(): Redactor {
  const known = new Map<string, Secret>();
  // A run knows hundreds of secrets, and most texts contain none of them.
  const index = createSecretIndex<Secret>();

  const redact = (text: string): string => {
    let clean = text;
    for (const secret of index.in(text)) {
      secret.pattern ??= anyOf(secret.forms);
      clean = clean.replace(secret.pattern, () => secret.placeholder);
    }
    return clean;
  };

  return {
    add(name, text) {
      if (text.length < MIN_SECRET_LENGTH || known.has(text)) return;
      const secret = { placeholder: `$${name}`, forms: formsOfSecret(text) };
      known.set(text, secret);
      index.watch(secret, secret.forms);
    },
    redact,
    redactAll: (value) => redactValue(value, redact),
  };
}

interface Secret {
  readonly placeholder: string;
  readonly forms: readonly string[];
  /** Compiled when the secret is found for the first time. */
  pattern?: RegExp;
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

/** Ignores case, because targets may lower it, as in header names. */
function anyOf(forms: readonly string[]): RegExp {
  return new RegExp(forms.map(escapeForPattern).join('|'), 'gi');
}

function escapeForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** Long enough to be rare, and no longer than the shortest watched text. */
const PREFIX_LENGTH = 8;

/** Finds which of many texts occur in another one. The cost of a search does not grow with their number. */
interface SecretIndex<T> {
  /** Finds `subject` wherever one of `texts` occurs; each has at least 8 characters. */
  watch(subject: T, texts: readonly string[]): void;
  /** The subjects found in a text, in the order of `watch`. Ignores case; may include a false hit. */
  in(text: string): readonly T[];
}

function createSecretIndex<T>(): SecretIndex<T> {
  const subjects: T[] = [];
  /** The watched texts with their subjects, by prefix. */
  const watched = new Map<string, { readonly text: string; readonly subject: number }[]>();

  return {
    watch(subject, texts) {
      const index = subjects.push(subject) - 1;
      for (const text of texts.map(fold)) {
        const prefix = text.slice(0, PREFIX_LENGTH);
        const others = watched.get(prefix);
        if (others === undefined) watched.set(prefix, [{ text, subject: index }]);
        else others.push({ text, subject: index });
      }
    },
    in(text) {
      const folded = fold(text);
      const seen = new Set<number>();
      for (let start = 0; start + PREFIX_LENGTH <= folded.length; start += 1) {
        for (const one of watched.get(folded.slice(start, start + PREFIX_LENGTH)) ?? []) {
          if (folded.startsWith(one.text, start)) seen.add(one.subject);
        }
      }
      return [...seen]
        .toSorted((one, other) => one - other)
        .flatMap((index) => subjects[index] ?? []);
    },
  };
}

/** Texts that a case-insensitive pattern treats as equal have the same upper case. */
function fold(text: string): string {
  return text.toUpperCase();
}
