/** Of a member of an object: its name, its value and what they cost in memory. */
const MEMBER_BYTES = 16;

/** Returns about the size of a value as JSON. `JSON.stringify` takes several times as long. */
export function approximateBytes(value: unknown): number {
  if (typeof value === 'string') return value.length + MEMBER_BYTES;
  if (typeof value !== 'object' || value === null) return MEMBER_BYTES;
  let bytes = MEMBER_BYTES;
  for (const inner of Object.values(value)) bytes += approximateBytes(inner);
  return bytes;
}
