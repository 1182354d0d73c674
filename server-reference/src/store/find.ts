/** The record with this id, or undefined. An id such as `__proto__` or `constructor` finds nothing. */
export function find<T>(records: Readonly<Record<string, T>>, id: string): T | undefined {
  return Object.hasOwn(records, id) ? records[id] : undefined;
}
