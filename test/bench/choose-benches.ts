import type { Bench } from './bench.ts';

/**
 * Returns the benches with these names, in their order in the list; all of them without names.
 *
 * @throws {TypeError} for a name that no bench has
 */
export function chooseBenches(
  benches: Readonly<Record<string, Bench>>,
  names: readonly string[],
): Bench[] {
  const unknown = names.filter((name) => !Object.hasOwn(benches, name));
  if (unknown.length > 0) {
    throw new TypeError(
      `There is no bench ${unknown.join(', ')}. Use one or more of: ${Object.keys(benches).join(', ')}.`,
    );
  }
  return Object.entries(benches)
    .filter(([name]) => names.length === 0 || names.includes(name))
    .map(([, bench]) => bench);
}
