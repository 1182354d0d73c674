/** One bounded part of a long change. Pass `last` as `after` for the next part; `null`: no more. */
export interface Part<Cursor> {
  readonly count: number;
  readonly last: Cursor | null;
}

/** Makes a long change in parts, so that others have their turn in between. Returns the sum of the counts. */
export async function inParts<Cursor>(
  start: Cursor,
  change: (after: Cursor) => Promise<Part<Cursor>>,
): Promise<number> {
  let count = 0;
  for (let after: Cursor | null = start; after !== null;) {
    const part: Part<Cursor> = await change(after);
    count += part.count;
    after = part.last;
  }
  return count;
}
