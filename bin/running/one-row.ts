import { safeLine } from '../command-line/visible.ts';

/** A part of a row. */
export interface Part {
  readonly text: string;
  readonly paint?: (text: string) => string;
  /** What a narrow terminal does without: a path is cut, a sentence is cut between words, any part is left out. */
  readonly spare?: 'path' | 'sentence' | 'part' | undefined;
}

const GAP = '  ';
/** Less of a text says nothing. */
const MIN_CUT_CHARACTERS = 12;

/**
 * Joins parts to one row. If they are wider than the terminal, cuts the last spare one that can be cut, or leaves out
 * the first one. No word and no name is cut, except in a path.
 */
export function oneRow(parts: readonly Part[], columns: number): string {
  let shown = parts.map((part) => ({ ...part, text: safeLine(part.text) }));
  const excess = (): number =>
    shown.reduce((sum, { text }) => sum + text.length + GAP.length, -GAP.length) - columns;
  while (excess() > 0 && shown.some(({ spare }) => spare !== undefined)) {
    const cuts = shown.map((part) => cut(part, part.text.length - excess()));
    const place = cuts.findLastIndex((text) => text !== null);
    const without = shown.findIndex(({ spare }) => spare !== undefined);
    shown =
      place === -1
        ? shown.toSpliced(without, 1)
        : shown.map((part, index) =>
            index === place ? { ...part, text: cuts[place] ?? '', spare: undefined } : part,
          );
  }
  return shown.map(({ text, paint }) => paint?.(text) ?? text).join(GAP);
}

/** Returns a text of at most this length; null if too little of it would be left. */
function cut({ text, spare }: Part, length: number): string | null {
  const whole = text.slice(0, Math.max(0, length - 1));
  const short = spare === 'sentence' ? whole.replace(/\s+\S*$|^\S*$/, '') : whole;
  const canBeCut = spare === 'path' || spare === 'sentence';
  return canBeCut && short.length >= MIN_CUT_CHARACTERS ? `${short}…` : null;
}
