import { GRAM_LENGTH } from './secret-index.ts';
import type { Hit, Run } from './secret-index.ts';
import type { Variant } from './secret-variants.ts';

/** What stands for the middle of a secret. */
const MASK = /…|\.{3,64}|\*{2,64}|•{2,64}|#{3,64}|X{3,64}|-{3,64}/g;
/** What may stand between a part of a secret that was found and another, shorter part. */
const GAP_AFTER = /(?:[^\p{L}\p{N}]|X){1,64}/uy;
const GAP_BEFORE = /(?:[^\p{L}\p{N}]|X){1,64}$/u;
const MAX_PART_LENGTH = 24;
const MIN_PART_LENGTH = 3;
/** The two parts of a masked secret together. */
const MIN_SHOWN_LENGTH = 8;

/** The run, with the rest of its secret when that follows or precedes a gap: `hpk_eb6538…8e6281`. */
export function extended(folded: string, { secret, start, end, first, last }: Run): Hit {
  const rest = last.variant.folded.length - last.offset - GRAM_LENGTH;
  return {
    secret,
    start: start - partBefore(folded, start, first.variant.folded, first.offset),
    end: end + partAfter(folded, end, last.variant.folded, rest),
  };
}

/** The length of a gap and of the end of the secret that follows it; else 0. */
function partAfter(folded: string, at: number, secret: string, rest: number): number {
  GAP_AFTER.lastIndex = at;
  const gap = GAP_AFTER.exec(folded)?.[0].length ?? 0;
  const length = gap === 0 ? 0 : suffixLength(folded, at + gap, secret, rest);
  return length === 0 ? 0 : gap + length;
}

/** The length of the beginning of the secret and of the gap after it, before a run; else 0. */
function partBefore(folded: string, at: number, secret: string, rest: number): number {
  const before = folded.slice(Math.max(0, at - 64), at);
  const gap = GAP_BEFORE.exec(before)?.[0].length ?? 0;
  const length = gap === 0 ? 0 : prefixLength(folded, at - gap, secret, rest);
  return length === 0 ? 0 : gap + length;
}

/** Finds secrets of which only both ends are shown, each too short to be found by itself. */
export class MaskIndex {
  /** Secrets by the last three characters of each of their beginnings. */
  readonly #beginnings = new Map<string, Set<Masked>>();
  /** The first three characters of each of their ends. */
  readonly #ends = new Set<string>();

  /** Few texts have a mask, so that secrets wait for the first one. */
  readonly #waiting: (readonly [secret: number, variant: Variant])[] = [];

  add(secret: number, variant: Variant): void {
    this.#waiting.push([secret, variant]);
  }

  #index(secret: number, { folded, typeLength }: Variant): void {
    for (const text of new Set([folded, folded.slice(typeLength)])) {
      const one = { secret, text };
      const max = Math.min(MAX_PART_LENGTH, text.length);
      for (let length = MIN_PART_LENGTH; length <= max; length += 1) {
        const end = text.length - length;
        this.#ends.add(text.slice(end, end + MIN_PART_LENGTH));
        const name = text.slice(length - MIN_PART_LENGTH, length);
        this.#beginnings.set(name, (this.#beginnings.get(name) ?? new Set()).add(one));
      }
    }
  }

  hits(folded: string): Hit[] {
    const found: Hit[] = [];
    for (const { 0: mask, index: at } of folded.matchAll(MASK)) {
      for (const [secret, variant] of this.#waiting.splice(0)) this.#index(secret, variant);
      const after = at + mask.length;
      if (!this.#ends.has(folded.slice(after, after + MIN_PART_LENGTH))) continue;
      const before = folded.slice(Math.max(0, at - MIN_PART_LENGTH), at);
      for (const { secret, text } of this.#beginnings.get(before) ?? []) {
        const behind = suffixLength(folded, after, text, MAX_PART_LENGTH);
        const shown = behind === 0 ? 0 : prefixLength(folded, at, text, MAX_PART_LENGTH);
        if (shown === 0 || shown + behind < MIN_SHOWN_LENGTH) continue;
        found.push({ secret, start: at - shown, end: after + behind });
        break;
      }
    }
    return found;
  }
}

interface Masked {
  readonly secret: number;
  readonly text: string;
}

/** How many of the first characters of `secret` stand right before `at`. */
function prefixLength(folded: string, at: number, secret: string, max: number): number {
  for (let length = Math.min(max, at, MAX_PART_LENGTH); length >= MIN_PART_LENGTH; length -= 1) {
    if (folded.startsWith(secret.slice(0, length), at - length)) return length;
  }
  return 0;
}

/** How many of the last characters of `secret` stand at `at`. */
function suffixLength(folded: string, at: number, secret: string, max: number): number {
  for (let length = Math.min(max, MAX_PART_LENGTH); length >= MIN_PART_LENGTH; length -= 1) {
    if (folded.startsWith(secret.slice(-length), at)) return length;
  }
  return 0;
}
