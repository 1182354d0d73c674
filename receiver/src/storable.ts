/** No sender limits its ids. This is far above any, and fits into an index of every store. */
export const MAX_ID_LENGTH = 512;

// oxlint-disable-next-line no-control-regex -- Databases refuse or replace NUL, so two ids would become one.
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Returns whether every store can tell this id or key from all others. */
export function isStorable(text: string): boolean {
  return text.length <= MAX_ID_LENGTH && !UNSTORABLE.test(text);
}
