import { fold } from './secret-variants.ts';
import type { Variant } from './secret-variants.ts';

/** A part of a text that shows a secret. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  /** The number of the secret, from 0, in the order of `add`. */
  readonly secret: number;
}

/** This many consecutive characters of a secret count as the secret. */
export const GRAM_LENGTH = 8;
/** Words of the suite's own texts that a key may have in it. Alone they give nothing away. */
const ORDINARY_WORDS =
  'APPLICATION AUTHORIZATION AUTOMATION CONFORMANCE DEVELOPMENT ENDPOINT HOOKPROOF OTHERTENANT PLATFORM PRODUCTION ' +
  'RECEIVER REVIEWER SIGNATURE WEBHOOKS WILDCARD WORKFLOW ' +
  '--ALLOW-WRITES --ALLOW-DELETES --BASE-URL --CONTROL-URL --CONTROL-TOKEN --RECEIVER --SECRET-ENCODING';
const FILTER_BITS = 22;
const BASE = 0x01000193;
const BASE_TO_THE_LENGTH = power(BASE, GRAM_LENGTH - 1);

/** Where a gram stands. */
interface Place {
  readonly secret: number;
  readonly variant: Variant;
  readonly offset: number;
}

/** A run of characters that are also a run in a secret. */
export interface Run extends Hit {
  /** The variant and position of the first and the last gram. */
  readonly first: Place;
  readonly last: Place;
}

/**
 * Finds parts of many secrets in a text. A rolling hash over 8 characters and a bit filter keep the cost of a search
 * linear in the text, however many secrets there are.
 */
export class SecretIndex {
  readonly #filter = new Uint8Array(2 ** (FILTER_BITS - 3));
  readonly #places = new Map<string, Place>();
  /** Texts that count only as a whole, by their first gram. */
  readonly #wholes = new Map<string, { readonly text: string; readonly secret: number }[]>();

  /** Counts every 8 consecutive characters of a secret. */
  add(secret: number, variants: readonly Variant[]): void {
    for (const variant of variants) {
      const { folded, typeLength } = variant;
      for (let offset = 0; offset + GRAM_LENGTH <= folded.length; offset += 1) {
        const gram = folded.slice(offset, offset + GRAM_LENGTH);
        if (offset + GRAM_LENGTH <= typeLength || ORDINARY_WORDS.includes(gram)) continue;
        this.#mark(gram);
        if (!this.#places.has(gram)) this.#places.set(gram, { secret, variant, offset });
      }
    }
  }

  /** Counts a text as a whole only. */
  addWhole(secret: number, text: string): void {
    const folded = fold(text);
    const gram = folded.slice(0, GRAM_LENGTH);
    this.#mark(gram);
    const others = this.#wholes.get(gram);
    if (others === undefined) this.#wholes.set(gram, [{ text: folded, secret }]);
    else others.push({ text: folded, secret });
  }

  /** The runs in a text that `fold` returned, in their order. */
  runs(folded: string): Run[] {
    const found: Run[] = [];
    let hash = 0;
    for (let at = 0; at < folded.length; at += 1) {
      const start = at - GRAM_LENGTH + 1;
      if (start > 0) hash -= Math.imul(folded.charCodeAt(start - 1), BASE_TO_THE_LENGTH);
      hash = (Math.imul(hash, BASE) + folded.charCodeAt(at)) | 0;
      if (start >= 0 && this.#mayHave(hash)) this.#note(folded, start, found);
    }
    return found;
  }

  #note(folded: string, start: number, found: Run[]): void {
    const gram = folded.slice(start, start + GRAM_LENGTH);
    for (const { text, secret } of this.#wholes.get(gram) ?? []) {
      if (!folded.startsWith(text, start)) continue;
      const place = { secret, variant: { folded: text, typeLength: 0 }, offset: 0 };
      const last = { ...place, offset: text.length - GRAM_LENGTH };
      found.push({ start, end: start + text.length, secret, first: place, last });
    }
    const place = this.#places.get(gram);
    if (place === undefined) return;
    const end = start + GRAM_LENGTH;
    const open = found.at(-1);
    if (open !== undefined && open.secret === place.secret && open.end === end - 1) {
      found[found.length - 1] = { ...open, end, last: place };
    } else {
      found.push({ start, end, secret: place.secret, first: place, last: place });
    }
  }

  #mark(gram: string): void {
    let hash = 0;
    for (let at = 0; at < gram.length; at += 1) {
      hash = (Math.imul(hash, BASE) + gram.charCodeAt(at)) | 0;
    }
    const bit = hash >>> (32 - FILTER_BITS);
    this.#filter[bit >>> 3] = (this.#filter[bit >>> 3] ?? 0) | (1 << (bit & 7));
  }

  #mayHave(hash: number): boolean {
    const bit = hash >>> (32 - FILTER_BITS);
    return ((this.#filter[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  }
}

function power(base: number, exponent: number): number {
  let product = 1;
  for (let step = 0; step < exponent; step += 1) product = Math.imul(product, base);
  return product;
}
