import { EVENT_ID_PREFIX, RUN_STATUSES } from '../generated/constants.ts';
import type { RunEvent } from '../generated/run-events.ts';

/** The fields that every event has, of any type. */
export interface EventEnvelope {
  readonly id: string;
  readonly type: string;
  readonly apiVersion: string;
  readonly createdAt: string;
  readonly test: boolean;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Rule {
  readonly field: string;
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

const ENVELOPE_RULES: readonly Rule[] = [
  stringField(
    'id',
    new RegExp(`^${EVENT_ID_PREFIX}`),
    `a string that starts with ${EVENT_ID_PREFIX}`,
  ),
  stringField('type'),
  stringField('apiVersion'),
  { field: 'createdAt', expected: 'an ISO 8601 date and time', fits: isDateTime },
  { field: 'test', expected: 'a boolean', fits: (value) => typeof value === 'boolean' },
  { field: 'data', expected: 'an object', fits: isRecord },
];

const RUN_RULES: readonly Rule[] = [
  stringField('id'),
  stringField('automationId', /^(?:wf|agent)_/, 'a string that starts with wf_ or agent_'),
  stringField('type', /^(?:workflow|agent)$/, 'workflow or agent'),
  { field: 'status', expected: 'a run status', fits: isRunStatus },
  stringField('triggerType'),
  { field: 'createdAt', expected: 'an ISO 8601 date and time', fits: isDateTime },
  { field: 'startedAt', expected: 'a string or null', fits: isStringOrNull },
  { field: 'completedAt', expected: 'a string or null', fits: isStringOrNull },
  {
    field: 'outputOmitted',
    expected: 'a boolean or absent',
    fits: (value) => value === undefined || typeof value === 'boolean',
  },
];

/** Returns why a parsed body is not an event of any type; undefined when it is one. */
export function envelopeProblem(value: unknown): string | undefined {
  return recordProblem(value, 'it', '', ENVELOPE_RULES);
}

export function isEnvelope(value: unknown): value is EventEnvelope {
  return envelopeProblem(value) === undefined;
}

/** Returns why an event is not one of the two run events; undefined when it is one. */
export function runEventProblem({ type, data }: EventEnvelope): string | undefined {
  const problem = recordProblem(data['run'], 'data.run', 'data.run.', RUN_RULES);
  if (problem !== undefined) return problem;
  const { run, previousStatus, currentStatus } = data;
  if (type === 'run.created') {
    if (previousStatus === undefined && currentStatus === undefined) return undefined;
    return 'data must have neither previousStatus nor currentStatus in a run.created event';
  }
  if (!isRunStatus(previousStatus)) return 'data.previousStatus must be a run status';
  if (isRecord(run) && currentStatus === run['status']) return undefined;
  return 'data.currentStatus must equal data.run.status';
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
): string | undefined {
  if (!isRecord(value)) return `${name} must be an object`;
  const violated = rules.find(({ field, fits }) => !fits(value[field]));
  return violated && `${prefix}${violated.field} must be ${violated.expected}`;
}

function stringField(field: string, form: RegExp = /^/, expected = 'a string'): Rule {
  return { field, expected, fits: (value) => typeof value === 'string' && form.test(value) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRunStatus(value: unknown): boolean {
  return RUN_STATUSES.some((status) => status === value);
}

function isStringOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

function isDateTime(value: unknown): boolean {
  return typeof value === 'string' && DATE_TIME.test(value) && !Number.isNaN(Date.parse(value));
}
