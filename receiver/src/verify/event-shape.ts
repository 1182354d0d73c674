import { EVENT_ID_PREFIX, RUN_STATUSES } from '../generated/constants.ts';
import type { RunEvent } from '../generated/run-events.ts';
import { parseTime } from '../time.ts';

/** The fields that every event has, of any type. */
export interface EventEnvelope {
  readonly id: string;
  readonly type: string;
  readonly apiVersion: string;
  readonly createdAt: string;
  readonly test: boolean;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What is wrong with a value: the field, what it must be, and what it is. */
export type ShapeProblem = readonly [field: string, expected: string, received: string];

/** What a field must be, and how to call a string that is not. */
type Expectation = readonly [
  expected: string,
  fits: (value: unknown) => boolean,
  otherString?: string,
];
type Rule = readonly [field: string, ...Expectation];

const TEXT: Expectation = ['a string', isText];
const BOOLEAN: Expectation = ['a boolean', isBoolean];
const TEXT_OR_NULL: Expectation = ['a string or null', (value) => value === null || isText(value)];
const TIME: Expectation = textThat('an ISO 8601 time', (text) => parseTime(text) !== null);
const STATUS: Expectation = textThat('a run status', isRunStatus);

const ENVELOPE_RULES: readonly Rule[] = [
  ['id', ...textThat(`${EVENT_ID_PREFIX}…`, (text) => text.startsWith(EVENT_ID_PREFIX))],
  ['type', ...TEXT],
  ['apiVersion', ...TEXT],
  ['createdAt', ...TIME],
  ['test', ...BOOLEAN],
  ['data', 'an object', isRecord],
];

const RUN_RULES: readonly Rule[] = [
  ['id', ...TEXT],
  ['automationId', ...textThat('wf_… or agent_…', (text) => /^(?:wf|agent)_/.test(text))],
  ['type', ...textThat('workflow or agent', (text) => text === 'workflow' || text === 'agent')],
  ['status', ...STATUS],
  ['triggerType', ...TEXT],
  ['createdAt', ...TIME],
  ['startedAt', ...TEXT_OR_NULL],
  ['completedAt', ...TEXT_OR_NULL],
  ['outputOmitted', 'a boolean or absent', (value) => value === undefined || isBoolean(value)],
];

/** Returns why a parsed body is not an event of any type; undefined when it is one. */
export function envelopeProblem(value: unknown): ShapeProblem | undefined {
  return recordProblem(value, 'Body', '', ENVELOPE_RULES);
}

export function isEnvelope(value: unknown): value is EventEnvelope {
  return envelopeProblem(value) === undefined;
}

/** Returns why an event is not one of the two run events; undefined when it is one. */
export function runEventProblem({ type, data }: EventEnvelope): ShapeProblem | undefined {
  const { run, previousStatus, currentStatus } = data;
  const problem = recordProblem(run, 'data.run', 'data.run.', RUN_RULES);
  if (problem !== undefined || !isRecord(run)) return problem;
  const status = type === 'run.created' ? undefined : run['status'];
  // `null` says the same as absence does.
  if ((currentStatus ?? undefined) !== status) {
    const expected = 'data.run.status, absent in run.created';
    return ['data.currentStatus', expected, nameOf(currentStatus, 'another string')];
  }
  if (
    status === undefined ? (previousStatus ?? undefined) === undefined : isRunStatus(previousStatus)
  )
    return undefined;
  const expected = 'a run status, absent in run.created';
  return ['data.previousStatus', expected, nameOf(previousStatus, 'another string')];
}

export function isRunEvent(event: EventEnvelope): event is EventEnvelope & RunEvent {
  return isRunEventType(event.type) && runEventProblem(event) === undefined;
}

export function isRunEventType(type: string): boolean {
  return type === 'run.created' || type === 'run.status_changed';
}

function recordProblem(
  value: unknown,
  name: string,
  prefix: string,
  rules: readonly Rule[],
): ShapeProblem | undefined {
  if (!isRecord(value)) return [name, 'an object', nameOf(value)];
  for (const [field, expected, fits, otherString] of rules) {
    const found = value[field];
    if (!fits(found)) return [prefix + field, expected, nameOf(found, otherString)];
  }
  return undefined;
}

function textThat(expected: string, fits: (text: string) => boolean): Expectation {
  return [expected, (value) => typeof value === 'string' && fits(value), 'another string'];
}

/** Names a value of JSON without showing it. */
function nameOf(value: unknown, string: string = 'a string'): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return string;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRunStatus(value: unknown): boolean {
  return RUN_STATUSES.some((status) => status === value);
}
