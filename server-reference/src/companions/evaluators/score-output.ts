import type { Evaluator, EvaluatorConfig } from '../../generated/companions.ts';
import type { DeepReadonly } from '../../store/read-only.ts';

/** What one evaluator found. */
interface Judgement {
  readonly evaluator: DeepReadonly<Evaluator>;
  /** From 0 to 1; null after an error. */
  readonly score: number | null;
  readonly passed: boolean | null;
  readonly details: unknown;
  readonly error: string | null;
}

/** An output and what is expected of it. Null is no expectation. */
interface Judged {
  readonly output: unknown;
  readonly expected: unknown;
  /** Returns a number from 0 to below 1 for a key: the opinion of a judge. */
  readonly random: (key: string) => number;
}

/** Judges an output with every evaluator. The same input gives the same scores. */
export function scoreOutput(
  config: DeepReadonly<EvaluatorConfig>,
  judged: Judged,
): readonly Judgement[] {
  return config.evaluators.map((evaluator) => judge(evaluator, judged));
}

const MAX_DIFFERENCES = 20;

type Finding = Pick<Judgement, 'score' | 'details' | 'error'>;

function judge(evaluator: DeepReadonly<Evaluator>, judged: Judged): Judgement {
  const { score, details, error } = find(evaluator, judged);
  const passed = score === null ? null : score >= evaluator.passThreshold;
  return { evaluator, score, passed, details, error };
}

function find({ name, type, path = '' }: DeepReadonly<Evaluator>, judged: Judged): Finding {
  const { output, expected, random } = judged;
  if (type === 'judge') {
    return { score: rounded(random(name)), details: null, error: null };
  }
  if (expected === null) return failed('the example has no expected output');
  if (type === 'exact_match') {
    const paths = differences(expected, output, MAX_DIFFERENCES);
    return { score: paths.length === 0 ? 1 : 0, details: { differences: paths }, error: null };
  }
  const [wanted, actual] = [valueAt(expected, path), valueAt(output, path)];
  if (wanted === undefined) return failed(`the expected output has no field ${path}`);
  const details = short({ expected: wanted, actual: actual ?? null });
  return { score: isEqual(wanted, actual) ? 1 : 0, details, error: null };
}

const MAX_DETAILS_LENGTH = 2_000;

/** The values would be stored a second time with the result. */
function short(details: object): object | null {
  return JSON.stringify(details).length <= MAX_DETAILS_LENGTH ? details : null;
}

function failed(error: string): Finding {
  return { score: null, details: null, error };
}

/** Four decimals, so that sums have no noise. */
function rounded(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}

/** A value that JSON can have. */
type Json = DeepReadonly<unknown>;

/** Returns whether two JSON values are equal. The order of members does not matter. */
function isEqual(a: Json, b: Json): boolean {
  return differences(a, b, 1).length === 0;
}

/**
 * Returns the paths at which two JSON values differ, such as `rows[0].carrier`, in the order of the first;
 * an empty path is the whole value.
 *
 * @param max - the number of paths after which the comparison ends
 */
function differences(a: Json, b: Json, max: number): string[] {
  const found: string[] = [];
  compare(a, b, '', (path) => {
    if (found.length < max) found.push(path);
    return found.length < max;
  });
  return found;
}

/** Returns false when the comparison should end. */
function compare(a: Json, b: Json, path: string, report: (path: string) => boolean): boolean {
  if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) {
    return Object.is(a, b) || a === b || report(path);
  }
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names.every((name) => {
    const at = Array.isArray(a) ? `${path}[${name}]` : join(path, name);
    const [first, second] = [memberOf(a, name), memberOf(b, name)];
    if (first === undefined || second === undefined) return report(at);
    return compare(first, second, at, report);
  });
}

/** Returns the value at a path with dots between its parts; undefined without one. */
function valueAt(value: Json, path: string): Json {
  return path
    .split('.')
    .reduce<Json>((at, name) => (isContainer(at) ? memberOf(at, name) : undefined), value);
}

type Container = Readonly<Record<string, Json>>;

function isContainer(value: Json): value is Container {
  return typeof value === 'object' && value !== null;
}

function memberOf(value: Container, name: string): Json {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
