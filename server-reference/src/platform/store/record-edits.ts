import { LargeValue } from '../state/large-value.ts';

/** The way from a record to one of its values: names of members and places in lists. */
type Path = readonly (string | number)[];

/**
 * One change of a record, as the journal has it: `[path]` removes a member, `[path, value]` sets one, and
 * `[path, start, count, entries]` replaces entries of a list.
 */
export type Edit =
  readonly [Path] | readonly [Path, unknown] | readonly [Path, number, number, readonly unknown[]];

/** What differs deeper in a record is set as a whole, because values of callers can be nested to any depth. */
const MAX_DEPTH = 4;

/**
 * Returns what makes a record from the record before. Both are plain JSON, but for large values. The size of
 * the edits does not depend on that of the record. Null where only the whole record keeps the order of its
 * members.
 */
export function editsOf(before: object, after: object): Edit[] | null {
  const edits: Edit[] = [];
  return isMap(before) && isMap(after) && editMembers(before, after, [], edits) ? edits : null;
}

function edit(before: unknown, after: unknown, path: Path, edits: Edit[]): void {
  if (isEqual(before, after)) return;
  if (path.length < MAX_DEPTH) {
    if (Array.isArray(before) && Array.isArray(after)) {
      editEntries(before, after, path, edits);
      return;
    }
    if (isMap(before) && isMap(after) && editMembers(before, after, path, edits)) return;
  }
  edits.push([path, after]);
}

/** Returns false, without an edit, where members have another order. */
function editMembers(before: Members, after: Members, path: Path, edits: Edit[]): boolean {
  const former = namesOf(before);
  const later = namesOf(after);
  const remaining = new Set(later);
  const kept = former.filter((name) => remaining.has(name));
  if (kept.some((name, index) => later[index] !== name)) return false;
  for (const name of former) if (!remaining.has(name)) edits.push([[...path, name]]);
  for (const name of kept) edit(before[name], after[name], [...path, name], edits);
  for (const name of later.slice(kept.length)) edits.push([[...path, name], after[name]]);
  return true;
}

/** Looks for entries that a list lost at its start, and then for the part in which it differs. */
function editEntries(
  before: readonly unknown[],
  after: readonly unknown[],
  path: Path,
  edits: Edit[],
): void {
  const lost = before.findIndex((entry) => isEqual(entry, after[0]));
  if (lost > 0) edits.push([path, 0, lost, []]);
  const rest = lost > 0 ? before.slice(lost) : before;
  const most = Math.min(rest.length, after.length);
  let start = 0;
  while (start < most && isEqual(rest[start], after[start])) start += 1;
  let end = 0;
  while (end < most - start && isEqual(rest.at(-1 - end), after.at(-1 - end))) end += 1;
  const count = rest.length - start - end;
  const entries = after.slice(start, after.length - end);
  if (count !== entries.length) edits.push([path, start, count, entries]);
  else entries.forEach((entry, at) => edit(rest[start + at], entry, [...path, start + at], edits));
}

/** Whether two values are the same as JSON, with their members in the same order. */
function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (one instanceof LargeValue || other instanceof LargeValue) {
    return one instanceof LargeValue && other instanceof LargeValue && one.sha256 === other.sha256;
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((entry, at) => isEqual(entry, other[at]));
  }
  if (!isMap(one) || !isMap(other)) return false;
  const names = namesOf(one);
  const others = namesOf(other);
  if (names.length !== others.length) return false;
  return names.every((name, at) => name === others[at] && isEqual(one[name], other[name]));
}

type Members = Readonly<Record<string, unknown>>;

function isMap(value: unknown): value is Members {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof LargeValue)
  );
}

/** JSON has no undefined members. */
function namesOf(members: Members): string[] {
  return Object.keys(members).filter((name) => members[name] !== undefined);
}
