import { computed } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';

import { address } from '../../address.ts';

/** What the search compares of a row. */
export interface Searchable {
  /** The words that a reader sees. A short word of the search does not match an ID in it. */
  readonly text: string;
  /** IDs match by their beginning, or by six or more of their last characters: they are shown by these. */
  readonly ids: readonly string[];
  /** What `name:value` compares, by name. A value is the beginning of a word. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** The words of the search in the address, in lower case. Each must match. */
export const searchWords: ReadonlySignal<readonly string[]> = computed(() =>
  (address.value.filters['q'] ?? '').toLowerCase().split(/\s+/).filter(Boolean),
);

const MIN_ID_CHARACTERS = 6;

/** Returns whether each word of the search matches. */
export function isMatch(words: readonly string[], { text, ids, fields = {} }: Searchable): boolean {
  const lower = text.toLowerCase();
  const withoutIds = lower.replaceAll(/_[\da-f]{16,}/g, '_');
  return words.every((word) => {
    const [name = '', ...rest] = word.split(':');
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const value = rest.join(':');
    if (rest.length > 0 && field !== undefined) {
      const parts = field.toLowerCase().split(/[\s/]+/);
      return parts.some((part) => part.startsWith(value)) || isId(value, parts);
    }
    if (word.length < MIN_ID_CHARACTERS) return withoutIds.includes(word);
    return lower.includes(word) || isId(word, ids);
  });
}

function isId(word: string, ids: readonly string[]): boolean {
  if (word.length < MIN_ID_CHARACTERS) return false;
  return ids.some((id) => id.startsWith(word) || id.endsWith(word));
}

const HIGHLIGHT = 'search';

/** Marks the words of the search in an element. Returns a function that removes these marks. */
export function markWords(element: HTMLElement, words: readonly string[]): () => void {
  const values = words.map((word) => word.replace(/^\w+:/, '')).filter(Boolean);
  if (values.length === 0 || !('highlights' in CSS)) return () => {};
  const marks = CSS.highlights.get(HIGHLIGHT) ?? new Highlight();
  CSS.highlights.set(HIGHLIGHT, marks);
  const ranges = values.flatMap((value) => rangesOf(element, value));
  for (const range of ranges) marks.add(range);
  return () => {
    for (const range of ranges) marks.delete(range);
  };
}

function rangesOf(element: HTMLElement, value: string): Range[] {
  const found: Range[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const text = (node.nodeValue ?? '').toLowerCase();
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + value.length);
      found.push(range);
    }
  }
  return found;
}
