import { encodedViews } from './encoded-views.ts';
import { extended, MaskIndex } from './masks.ts';
import { GRAM_LENGTH, SecretIndex } from './secret-index.ts';
import type { Hit } from './secret-index.ts';
import { fold, MIN_SECRET_LENGTH, variantsOf } from './secret-variants.ts';
import { readingsOf } from './views.ts';

/** Replaces known secrets in text by the names of their variables. */
export interface Redactor {
  /**
   * From now on, every part of `secret` with 8 characters or more is replaced by `$NAME`, in any form that it may take
   * on the wire. `whole`: only the whole text, for texts such as queries whose parts are ordinary words.
   */
  add(name: string, secret: string, extent?: 'parts' | 'whole'): void;
  readonly redact: (text: string) => string;
  /** Redacts texts that follow each other, so that a secret is found that is split between them. */
  redactParts(texts: readonly string[]): string[];
  /** Redacts every string in a JSON value, keys of objects included, except in members with the names of `own`. */
  redactAll<T>(value: T, own?: ReadonlySet<string>): T;
}

/** A longer text is read in parts, each with the end of the one before: no form of a secret is longer than that. */
const PART_LENGTH = 64 * 1024;
const OVERLAP_LENGTH = 8 * 1024;
/** Encodings within encodings, such as base64 of gzip of JSON with base64. */
const MAX_DEPTH = 3;
const PLACEHOLDER = /\$[A-Z][A-Z_]+/g;

/** The variable of a key: `HOOKPROOF_KEY` for the main key, `HOOKPROOF_KEY_OTHER_TENANT` and so on. */
export function keyVariable(name: string): string {
  if (name === 'main' || name === 'wildcard') return 'HOOKPROOF_KEY';
  return `HOOKPROOF_KEY_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

export function createRedactor(): Redactor {
  return new IndexRedactor();
}

class IndexRedactor implements Redactor {
  readonly #known = new Set<string>();
  /** The placeholder of each secret. */
  readonly #placeholders: string[] = [];
  readonly #index = new SecretIndex();
  readonly #masks = new MaskIndex();

  add(name: string, secret: string, extent: 'parts' | 'whole' = 'parts'): void {
    if (secret.length < MIN_SECRET_LENGTH || this.#known.has(secret)) return;
    this.#known.add(secret);
    const number = this.#placeholders.push(`$${name}`) - 1;
    this.#index.addWhole(number, secret);
    if (extent === 'whole') return;
    const variants = variantsOf(secret);
    this.#index.add(number, variants);
    const [text] = variants;
    if (text !== undefined) this.#masks.add(number, text);
  }

  readonly redact = (text: string): string => this.redactParts([text])[0] ?? '';

  redactParts(texts: readonly string[]): string[] {
    if (this.#placeholders.length === 0) return [...texts];
    const hits = merged(outsidePlaceholders(texts.join(''), this.#hitsInParts(texts.join(''))));
    if (hits.length === 0) return [...texts];
    let from = 0;
    return texts.map((text) => {
      const start = from;
      from += text.length;
      return this.#replace(text, start, hits);
    });
  }

  redactAll<T>(value: T, own?: ReadonlySet<string>): T;
  redactAll(value: unknown, own: ReadonlySet<string> = new Set()): unknown {
    if (typeof value === 'string') return this.redact(value);
    if (isTexts(value)) return this.redactParts(value);
    if (Array.isArray(value)) return value.map((item: unknown) => this.redactAll(item, own));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) =>
        own.has(key) ? [key, item] : [this.redact(key), this.redactAll(item, own)],
      ),
    );
  }

  #hitsInParts(text: string): Hit[] {
    const found: Hit[] = [];
    for (let from = 0; from === 0 || from + OVERLAP_LENGTH < text.length;) {
      const hits = this.#hits(text.slice(from, from + PART_LENGTH), 0);
      for (const hit of hits) found.push(moved(hit, [hit.start + from, hit.end + from]));
      from += PART_LENGTH - OVERLAP_LENGTH;
    }
    return found;
  }

  /** The parts of a text that show a secret in any reading or encoding. They may overlap. */
  #hits(text: string, depth: number): Hit[] {
    if (text.length < GRAM_LENGTH) return [];
    const found: Hit[] = [];
    const readings = readingsOf(text);
    // The readings in between add nothing to what is encoded in the first and the last.
    const encoded = new Set([readings[0], readings.at(-1)]);
    for (const reading of readings) {
      const folded = fold(reading.text);
      const runs = this.#index.runs(folded);
      const here = [...runs.map((run) => extended(folded, run)), ...this.#masks.hits(folded)];
      found.push(...here.map((hit) => moved(hit, reading.source(hit.start, hit.end))));
      if (depth === MAX_DEPTH || !encoded.has(reading)) continue;
      for (const view of encodedViews(reading.text)) {
        if ('opaque' in view) {
          found.push(moved({ start: 0, end: 0, secret: 0 }, reading.source(...view.opaque)));
          continue;
        }
        for (const hit of this.#hits(view.text, depth + 1)) {
          const [start, end] = view.source(hit.start, hit.end);
          found.push(moved(hit, reading.source(start, end)));
        }
      }
    }
    return found;
  }

  /** One of the texts, which begins at `offset`, without the hits in it. */
  #replace(text: string, offset: number, hits: readonly Hit[]): string {
    let clean = '';
    let at = 0;
    for (const hit of hits) {
      const start = Math.max(0, hit.start - offset);
      const end = Math.min(text.length, hit.end - offset);
      if (start >= end) continue;
      clean += text.slice(at, start) + (this.#placeholders[hit.secret] ?? '');
      at = end;
    }
    return clean + text.slice(at);
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function moved({ secret }: Hit, [start, end]: readonly [start: number, end: number]): Hit {
  return { secret, start, end };
}

/** A text may have been redacted before, and a secret may have words of a placeholder. */
function outsidePlaceholders(text: string, hits: readonly Hit[]): readonly Hit[] {
  if (hits.length === 0) return hits;
  const placeholders = [...text.matchAll(PLACEHOLDER)].map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
  return hits.filter(
    (hit) => !placeholders.some(({ start, end }) => hit.start >= start && hit.end <= end),
  );
}

/** The hits in their order, overlapping ones as one, with the secret of the longest. */
function merged(hits: readonly Hit[]): readonly Hit[] {
  const result: (Hit & { readonly longest: number })[] = [];
  for (const hit of hits.toSorted((one, other) => one.start - other.start)) {
    const length = hit.end - hit.start;
    const before = result.at(-1);
    if (before === undefined || hit.start >= before.end) {
      result.push({ ...hit, longest: length });
      continue;
    }
    const wins = length > before.longest;
    result[result.length - 1] = {
      start: before.start,
      end: Math.max(before.end, hit.end),
      secret: wins ? hit.secret : before.secret,
      longest: wins ? length : before.longest,
    };
  }
  return result;
}
