/** Returns the known text that needs the fewest changes to become the given one; undefined if none is known. */
export function nearestOf(given: string, known: readonly string[]): string | undefined {
  return known.toSorted((left, right) => edits(given, left) - edits(given, right))[0];
}

/** Returns the number of letters to add, remove or replace to make one text of the other. */
export function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 0; line < from.length; line += 1) {
    const next = [line + 1];
    for (let column = 0; column < to.length; column += 1) {
      const replaced = (row[column] ?? 0) + (from[line] === to[column] ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
