/** What a value costs in memory beside its characters, and what a list or an object costs more. */
const VALUE_BYTES = 16;
const HOLDER_BYTES = 32;

/**
 * Returns about the size of a value as JSON. `JSON.stringify` takes several times as long, and so does a list of
 * the names or values.
 */
export function approximateBytes(value: unknown): number {
  if (typeof value === 'string') return value.length + VALUE_BYTES;
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  let bytes = HOLDER_BYTES;
  if (Array.isArray(value)) {
    for (const inner of value) bytes += approximateBytes(inner);
    return bytes;
  }
  for (const name in value) bytes += name.length + approximateBytes(Reflect.get(value, name));
  return bytes;
}
