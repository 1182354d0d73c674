/**
 * Returns an option that must be a positive integer, or its default.
 *
 * @throws {TypeError} When the value is anything else.
 */
export function positiveInteger(
  name: string,
  value: number | undefined,
  defaultValue: number,
): number {
  const number = value ?? defaultValue;
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new TypeError(`${name} must be a positive integer, got ${String(number)}.`);
}

/**
 * Returns an option that must be a non-negative integer, or its default.
 *
 * @throws {TypeError} When the value is anything else.
 */
export function nonNegativeInteger(
  name: string,
  value: number | undefined,
  defaultValue: number,
): number {
  const number = value ?? defaultValue;
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new TypeError(`${name} must be a non-negative integer, got ${String(number)}.`);
}
