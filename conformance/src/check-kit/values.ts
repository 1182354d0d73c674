import { CouldNotRun, Inconclusive, NotApplicable, Violation } from '../verdict/findings.ts';
import { isLostConnection } from '../wire/transport.ts';

/** One of the values that a check judges alike, and what judging it threw: null when it is as it must be. */
export interface JudgedValue {
  /** As in "status 400 for limit=101"; null for the only value of a check. */
  readonly name: string | null;
  readonly thrown: Violation | Inconclusive | CouldNotRun | NotApplicable | null;
}

/**
 * Judges each value of a check, and throws the one verdict of all. After a lost connection, no further value is judged:
 * the engine repeats the whole check.
 */
export async function judgeEach<Value>(
  values: readonly Value[],
  nameOf: (value: Value) => JudgedValue['name'],
  judge: (value: Value) => void | Promise<void>,
): Promise<void> {
  const judged: JudgedValue[] = [];
  for (const value of values) {
    const thrown = await thrownBy(() => judge(value));
    judged.push({ name: nameOf(value), thrown });
    if (isLostConnection(thrown)) break;
  }
  const verdict = verdictOfValues(judged);
  if (verdict !== null) throw verdict;
}

/**
 * What a check of several values throws; null for a pass. A violation is the first one, and names every value that has
 * one. A value that does not apply says nothing, unless none applies.
 */
export function verdictOfValues(judged: readonly JudgedValue[]): JudgedValue['thrown'] {
  const thrown = judged.flatMap((one) => one.thrown ?? []);
  const violated = judged.flatMap(({ name, thrown: found }) =>
    found instanceof Violation ? [{ name, detail: found.detail }] : [],
  );
  const [first] = violated;
  if (first !== undefined) return violationOf(first, violated.slice(1));
  return (
    thrown.find((one) => one instanceof Inconclusive) ??
    thrown.find((one) => one instanceof CouldNotRun) ??
    (thrown.length === judged.length ? (thrown[0] ?? null) : null)
  );
}

interface Violated {
  readonly name: string | null;
  readonly detail: Violation['detail'];
}

function violationOf({ name, detail }: Violated, others: readonly Violated[]): Violation {
  const { expected, actual } = detail;
  const likewise = new Set(
    others.flatMap((other) => {
      if (other.name === null || other.name === name) return [];
      return [
        other.detail.actual === actual ? other.name : `${other.name} (${other.detail.actual})`,
      ];
    }),
  );
  return new Violation({
    ...detail,
    expected: name === null ? expected : `${expected} for ${name}`,
    actual: likewise.size === 0 ? actual : `${actual}; likewise for ${[...likewise].join(', ')}`,
  });
}

async function thrownBy(judge: () => void | Promise<void>): Promise<JudgedValue['thrown']> {
  try {
    await judge();
    return null;
  } catch (error) {
    const isFinding =
      error instanceof Violation ||
      error instanceof Inconclusive ||
      error instanceof CouldNotRun ||
      error instanceof NotApplicable;
    if (isFinding) return error;
    throw error;
  }
}
