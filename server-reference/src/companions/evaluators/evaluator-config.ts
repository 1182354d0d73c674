import { Lexer, parse, YAMLParseError } from 'yaml';

import type { Evaluator, EvaluatorConfig } from '../../generated/companions.ts';
import { invalidValue } from '../../errors.ts';
import { isRecord, shorten } from '../../json.ts';
import type { EvaluatorsRecord } from '../../store/automations.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReadonlyState } from '../../store/state.ts';

/** The kinds of evaluators. */
const EVALUATOR_TYPES = ['exact_match', 'field_match', 'judge'] as const;

/** What an automation has before evaluators are written. */
const NO_EVALUATORS: Pick<EvaluatorsRecord, 'yaml' | 'config'> = {
  yaml: '',
  config: { evaluators: [], passThreshold: 1 },
};

/** Returns the evaluators of an automation. */
export function evaluatorsOf(
  { evaluators }: Pick<ReadonlyState, 'evaluators'>,
  automationId: string,
): DeepReadonly<Pick<EvaluatorsRecord, 'yaml' | 'config'>> {
  return evaluators.get(automationId) ?? NO_EVALUATORS;
}

const MAX_EVALUATORS = 100;
const MAX_NAME_LENGTH = 128;
const MAX_WEIGHT = 1_000;
/** Above the largest configuration. The parser's time grows with the square of keys and of nesting. */
const MAX_TOKENS = 10_000;

/**
 * Reads a configuration of evaluators.
 *
 * @throws {ApiError} `invalid_value` on `yaml` for a text that is not YAML, or not a configuration
 */
export function readEvaluators(yaml: string): EvaluatorConfig {
  const value = parseYaml(yaml);
  if (!isRecord(value)) throw refused(`must be an object with evaluators, got ${shorten(value)}`);
  const { evaluators, passThreshold } = value;
  if (!Array.isArray(evaluators)) throw refused(`evaluators ${mustBe('an array', evaluators)}`);
  if (evaluators.length > MAX_EVALUATORS) {
    throw refused(`evaluators must have at most ${MAX_EVALUATORS} entries`);
  }
  const list = evaluators.map((entry: unknown, index) =>
    readEvaluator(entry, `evaluators[${index}]`),
  );
  const names = new Set<string>();
  for (const [index, { name }] of list.entries()) {
    if (names.has(name)) throw refused(`evaluators[${index}].name must be unique`);
    names.add(name);
  }
  return {
    evaluators: list,
    passThreshold: readNumber(passThreshold, 'passThreshold', { default: 1, max: 1 }),
  };
}

function parseYaml(text: string): unknown {
  const tokens = new Lexer().lex(text);
  for (let count = 0; tokens.next().done !== true; count += 1) {
    if (count === MAX_TOKENS) throw refused(`must have at most ${MAX_TOKENS} tokens of YAML`);
  }
  try {
    return parse(text, { prettyErrors: true, logLevel: 'error', maxAliasCount: 50 });
  } catch (error) {
    // Deep nesting ends in a RangeError of the parser, and an alias bomb in a ReferenceError.
    const at = error instanceof YAMLParseError ? error.linePos?.[0] : undefined;
    const position = at === undefined ? '' : `; the error is in line ${at.line}, column ${at.col}`;
    throw refused(`must be well-formed YAML${position}`);
  }
}

function readEvaluator(value: unknown, field: string): Evaluator {
  if (!isRecord(value)) throw refused(`${field} ${mustBe('an object', value)}`);
  const { type, path, description } = value;
  const known = EVALUATOR_TYPES.find((name) => name === type);
  if (known === undefined) {
    throw refused(
      `${field}.type must be one of ${EVALUATOR_TYPES.join(', ')}, got ${shorten(type ?? null)}`,
    );
  }
  const isField = known === 'field_match';
  const comparedPath = isField ? readText(path, `${field}.path`) : undefined;
  const name = value['name'] ?? (comparedPath === undefined ? known : `${known} ${comparedPath}`);
  return {
    name: readText(name, `${field}.name`),
    type: known,
    ...(comparedPath === undefined ? {} : { path: comparedPath }),
    weight: readNumber(value['weight'], `${field}.weight`, { default: 1, max: MAX_WEIGHT }),
    passThreshold: readNumber(value['passThreshold'], `${field}.passThreshold`, {
      default: 1,
      max: 1,
    }),
    ...(typeof description === 'string' ? { description } : {}),
  };
}

function readText(value: unknown, field: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= MAX_NAME_LENGTH) return value;
  throw refused(`${field} ${mustBe(`a text of 1 to ${MAX_NAME_LENGTH} characters`, value)}`);
}

interface NumberBounds {
  readonly default: number;
  readonly max: number;
}

function readNumber(value: unknown, field: string, bounds: NumberBounds): number {
  if (value === undefined || value === null) return bounds.default;
  if (typeof value === 'number' && value >= 0 && value <= bounds.max) return value;
  throw refused(`${field} ${mustBe(`a number from 0 to ${bounds.max}`, value)}`);
}

function mustBe(what: string, value: unknown): string {
  return `must be ${what}, got ${typeof value === 'number' ? String(value) : shorten(value ?? null)}`;
}

function refused(message: string): Error {
  return invalidValue(
    'yaml',
    message,
    'Send an object with evaluators: each has a name, a type and, for field_match, a path.',
  );
}
