/** An option that counts something, or its default. */
export function positiveInteger(name: string, value: number | undefined, fallback: number): number {
  const number = value ?? fallback;
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new TypeError(`${name} must be a positive whole number, not ${String(number)}`);
}
