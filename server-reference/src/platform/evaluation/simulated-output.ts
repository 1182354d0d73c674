import type { DeepReadonly } from '../state/read-only.ts';

/** Of all outputs that are expected. */
const CORRECT_SHARE = 0.75;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the output of a simulated evaluation run: what the example expects, or the same with one field
 * changed.
 *
 * @param random - returns a number from 0 to below 1 for a key
 */
export function simulatedEvaluationOutput(
  expected: DeepReadonly<unknown>,
  random: (key: string) => number,
): unknown {
  if (random('correct') < CORRECT_SHARE) return expected;
  if (!isFields(expected)) return changed(expected);
  const names = Object.keys(expected);
  const wrong = names[Math.floor(random('field') * names.length)];
  return Object.fromEntries(
    Object.entries(expected).map(([name, value]) => [
      name,
      name === wrong ? changed(value) : value,
    ]),
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function changed(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return typeof value === 'string' ? `${value}?` : null;
}
