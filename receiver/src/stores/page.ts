/**
 * Returns the number at which a page begins; `null` for the first one.
 *
 * @throws {TypeError} When it is not the `next` of a page.
 */
export function cursorNumber(after: string | null): number | null {
  if (after === null) return null;
  if (/^\d{1,15}$/.test(after)) return Number(after);
  throw noCursor(after);
}

/** The mistake of a caller who passes another text as `after`. */
function noCursor(after: string): TypeError {
  return new TypeError(
    `after must be next of the page before, got ${JSON.stringify(after.slice(0, 50))}.`,
  );
}

/**
 * Makes a page of what was found when at least one more than the limit was asked for. `next` is
 * `null` at the end.
 */
export function pageOf<Found, Item>(
  found: readonly Found[],
  limit: number,
  made: {
    readonly itemOf: (found: Found) => Item;
    /** Where the next page begins, after the last item of this one. */
    readonly cursorOf: (last: Found) => string;
  },
): { readonly items: readonly Item[]; readonly next: string | null } {
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  return { items: shown.map(made.itemOf), next: last === undefined ? null : made.cursorOf(last) };
}
