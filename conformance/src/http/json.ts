/** A parsed JSON text; undefined when it is malformed. JSON has one zero, so `-0` becomes 0 and compares as equal. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (_name, value: unknown) => (value === 0 ? 0 : value));
  } catch {
    return undefined;
  }
}

/** Whether a value is a JSON object: neither an array nor null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
