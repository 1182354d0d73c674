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

/**
 * Refuses options whose name is unknown, with the name that was probably meant.
 *
 * @throws {TypeError} When an option is unknown.
 */
export function knownOptions(options: object, names: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    const closest = closestName(name, names);
    const advice =
      closest === null ? `Expected one of ${names.join(', ')}.` : `Did you mean ${closest}?`;
    throw new TypeError(`Unknown option ${JSON.stringify(name)}. ${advice}`);
  }
}

/** Returns the name that starts alike or differs by a few characters. */
function closestName(name: string, names: readonly string[]): string | null {
  const lower = name.toLowerCase();
  const scored = names.map((known) => ({ known, score: likeness(lower, known.toLowerCase()) }));
  const [best] = scored.toSorted((left, right) => right.score - left.score);
  return best !== undefined && best.score >= 0.5 ? best.known : null;
}

/** Returns the share of adjacent pairs of characters that two names have in common. */
function likeness(left: string, right: string): number {
  const others = [...pairs(right)];
  const total = left.length + right.length - 2;
  let common = 0;
  for (const pair of pairs(left)) {
    const index = others.indexOf(pair);
    if (index < 0) continue;
    others.splice(index, 1);
    common += 1;
  }
  return total <= 0 ? 0 : (2 * common) / total;
}

function pairs(text: string): readonly string[] {
  return Array.from({ length: Math.max(text.length - 1, 0) }, (_, index) =>
    text.slice(index, index + 2),
  );
}
