import { knownOptions, pointInTime, requireString } from '../argument-checks.ts';
import { isStorable } from '../storable.ts';
import { DEAD_LETTER_REASONS } from '../stores/store.ts';
import type { DeadLetterReason, EventFilter } from '../stores/store.ts';

/** Which events to choose; without a member, all of them. */
interface Choice {
  /** Only events of this source. */
  readonly source?: string;
  /** Only events with these ids. An empty list chooses none. */
  readonly ids?: readonly string[];
  /** Only events of this run. */
  readonly runId?: string;
  /** Only events with this key: of a run, or of what else belongs together in a source. */
  readonly key?: string;
  /** The agent or workflow of their runs. */
  readonly automationId?: string;
  /** The status of the run in the event, or the type of an event without a run, as in `pause()`. */
  readonly handler?: string;
  /** Accepted then or later. */
  readonly since?: Date | number;
  /** Accepted before then. */
  readonly until?: Date | number;
}

/** Which dead letters to choose; without a member, all of them. */
export interface DeadLetterFilter extends Choice {
  /** Only dead letters of this reason. */
  readonly reason?: DeadLetterReason;
  /** The message of the last failure begins with it. */
  readonly message?: string;
}

/** Which handled events to replay; without a member, all whose bodies are kept. */
export type ReplayRequest = Choice;

/** Which waiting events to list; without a member, all. */
export type WaitingFilter = Pick<Choice, 'source' | 'runId' | 'key' | 'automationId'>;

/**
 * The members of each filter. A member that is `undefined` is refused: without it, the filter would
 * choose all.
 */
export const FILTERS: Readonly<
  Record<'dead' | 'replay' | 'waiting', readonly (keyof DeadLetterFilter)[]>
> = {
  dead: [
    'source',
    'ids',
    'reason',
    'runId',
    'key',
    'automationId',
    'handler',
    'message',
    'since',
    'until',
  ],
  replay: ['source', 'ids', 'runId', 'key', 'automationId', 'handler', 'since', 'until'],
  waiting: ['source', 'runId', 'key', 'automationId'],
};

const LEAVE_OUT = 'Leave it out to choose from all.';

/** @throws {TypeError} When a member is unknown or has another form. */
export function requireFilter(
  filter: unknown,
  names: readonly (keyof DeadLetterFilter)[],
): asserts filter is DeadLetterFilter {
  knownOptions(filter, names, 'filter');
  const members: Readonly<Record<string, unknown>> = { ...filter };
  for (const name of names) if (name in members) CHECKS[name](members[name]);
}

/**
 * Checks a filter, and returns it as stores take it; `null` when no store can have such an event.
 *
 * @throws {TypeError} As `requireFilter`.
 */
export function eventFilter(
  filter: DeadLetterFilter,
  names: readonly (keyof DeadLetterFilter)[],
): EventFilter | null {
  requireFilter(filter, names);
  const { runId, key = runId, automationId, since, until, ...others } = filter;
  if (![runId, key, automationId].every((text = '') => isStorable(text))) return null;
  if (runId !== undefined && key !== runId) return null;
  return {
    ...others,
    ...(key !== undefined && { key }),
    ...(automationId !== undefined && { owner: automationId }),
    ...(since !== undefined && { since: Number(since) }),
    ...(until !== undefined && { until: Number(until) }),
  };
}

/** How each member is checked. */
const CHECKS: Readonly<Record<keyof DeadLetterFilter, (value: unknown) => void>> = {
  ids(value) {
    if (Array.isArray(value) && value.every((id) => typeof id === 'string')) return;
    throw new TypeError(`ids must be a list of strings, got ${typeof value}. ${LEAVE_OUT}`);
  },
  source: (value) => requireString('source', value, LEAVE_OUT),
  runId: (value) => requireString('runId', value, LEAVE_OUT),
  key: (value) => requireString('key', value, LEAVE_OUT),
  automationId: (value) => requireString('automationId', value, LEAVE_OUT),
  message: (value) => requireString('message', value, LEAVE_OUT),
  reason(value) {
    if (DEAD_LETTER_REASONS.some((reason) => reason === value)) return;
    const expected = DEAD_LETTER_REASONS.join(', ');
    throw new TypeError(`reason must be one of ${expected}, got ${String(value)}. ${LEAVE_OUT}`);
  },
  handler: (value) => requireString('handler', value, LEAVE_OUT),
  since: (value) => void pointInTime('since', value),
  until: (value) => void pointInTime('until', value),
};
