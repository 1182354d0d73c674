/** Applies edits that were read to a stored record. Returns what is wrong with the edits, or null. */
export function applyEdits(record: object, edits: unknown): string | null {
  if (!Array.isArray(edits)) return 'the edits must be a list';
  const whole = edits.every((edit) => applyEdit(record, edit));
  return whole ? null : 'an edit does not fit its record';
}

function applyEdit(record: object, edit: unknown): boolean {
  const [path, ...change]: unknown[] = Array.isArray(edit) ? edit : [];
  if (!Array.isArray(path)) return false;
  if (change.length === 3) return replaceEntries(find(record, path), change);
  const holder = find(record, path.slice(0, -1));
  const name: unknown = path.at(-1);
  if (typeof holder !== 'object' || holder === null) return false;
  if (typeof name !== 'string' && typeof name !== 'number') return false;
  if (change.length === 0) return Reflect.deleteProperty(holder, name);
  const [value] = change;
  const property = { value, enumerable: true, configurable: true, writable: true };
  // A member can have the name of a setter.
  return change.length === 1 && Reflect.defineProperty(holder, name, property);
}

function replaceEntries(list: unknown, [start, count, entries]: readonly unknown[]): boolean {
  if (!Array.isArray(list) || typeof start !== 'number' || typeof count !== 'number') return false;
  if (!Array.isArray(entries) || start + count > list.length) return false;
  // Spreading many entries would exceed the stack.
  const rest: unknown[] = list.slice(start + count);
  list.length = start;
  for (const entry of [...entries, ...rest]) list.push(entry);
  return true;
}

function find(record: object, path: readonly unknown[]): unknown {
  let found: unknown = record;
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    if (typeof name !== 'string' && typeof name !== 'number') return undefined;
    if (!Object.hasOwn(found, name)) return undefined;
    found = Reflect.get(found, name);
  }
  return found;
}
