import { isDeepStrictEqual } from 'node:util';

import { isRecord } from '../http/message.ts';

/** The first place at which two JSON values differ. */
export interface Difference {
  /** Members and indexes from the outside: `reviews.rev_1.focusFields[0].path`; empty for the values themselves. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Null for equal values. A member that only one of them has is undefined in the other. Long texts are cut around it. */
export function firstDifference(before: unknown, after: unknown, path = ''): Difference | null {
  if (isDeepStrictEqual(before, after)) return null;
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    const index = Array.from({ length }, (_none, at) => at).find(
      (at) => !isDeepStrictEqual(before[at], after[at]),
    );
    if (index !== undefined) {
      return firstDifference(before[index], after[index], `${path}[${index}]`);
    }
  }
  if (isRecord(before) && isRecord(after)) {
    const name = Object.keys({ ...before, ...after }).find(
      (each) => !isDeepStrictEqual(before[each], after[each]),
    );
    if (name !== undefined) {
      return firstDifference(before[name], after[name], path === '' ? name : `${path}.${name}`);
    }
  }
  if (typeof before === 'string' && typeof after === 'string') return cut(path, before, after);
  return { path, before, after };
}

const MAX_EQUAL_CHARACTERS = 60;

/** Texts without most of what they have in common before the first difference. */
function cut(path: string, before: string, after: string): Difference {
  let start = 0;
  while (before[start] === after[start]) start += 1;
  if (start <= MAX_EQUAL_CHARACTERS) return { path, before, after };
  const shown = (text: string): string => `…${text.slice(start - MAX_EQUAL_CHARACTERS)}`;
  return { path, before: shown(before), after: shown(after) };
}
