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

/** What is wrong with a value: the field, what it must be, and the type that it has. */
export type ShapeProblem = readonly [field: string, expected: string, received: string];

type Rule = readonly [field: string, expected: string, fits: (value: unknown) => boolean];

const TEXT: Rule[2] = (value) => typeof value === 'string';
const BOOLEAN: Rule[2] = (value) => typeof value === 'boolean';
const TIME = [
  'an RFC 3339 time',
  (value: unknown) => typeof value === 'string' && parseTime(value) !== null,
] as const;
const TEXT_OR_NULL = [
  'a string or null',
  (value: unknown) => value === null || TEXT(value),
] as const;

const ENVELOPE_RULES: readonly Rule[] = [
  ['id', `${EVENT_ID_PREFIX}…`, textOf(/^whev_/)],
  ['type', 'a string', TEXT],
  ['apiVersion', 'a string', TEXT],
  ['createdAt', ...TIME],
  ['test', 'a boolean', BOOLEAN],
  ['data', 'an object', isRecord],
];

const RUN_RULES: readonly Rule[] = [
  ['id', 'a string', TEXT],
  ['automationId', 'wf_… or agent_…', textOf(/^(?:wf|agent)_/)],
  ['type', 'workflow or agent', textOf(/^(?:workflow|agent)$/)],
  ['status', 'a run status', isRunStatus],
  ['triggerType', 'a string', TEXT],
  ['createdAt', ...TIME],
  ['startedAt', ...TEXT_OR_NULL],
  ['completedAt', ...TEXT_OR_NULL],
  ['outputOmitted', 'a boolean or absent', (value) => value === undefined || BOOLEAN(value)],
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
    return ['data.currentStatus', 'data.run.status, absent in run.created', typeof currentStatus];
  }
  if (
    status === undefined ? (previousStatus ?? undefined) === undefined : isRunStatus(previousStatus)
  )
    return undefined;
  return ['data.previousStatus', 'a run status, absent in run.created', typeof previousStatus];
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
  if (!isRecord(value)) return [name, 'an object', typeof value];
  const violated = rules.find(([field, , fits]) => !fits(value[field]));
  return violated && [prefix + violated[0], violated[1], typeof value[violated[0]]];
}

function textOf(form: RegExp): Rule[2] {
  return (value) => typeof value === 'string' && form.test(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRunStatus(value: unknown): boolean {
  return RUN_STATUSES.some((status) => status === value);
}
