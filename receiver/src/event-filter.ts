import { knownOptions, pointInTime, requireString } from './argument-checks.ts';
import { isStorable } from './event-content.ts';
import type { ReplayRequest, WaitingFilter } from './processing.ts';
import { DEAD_LETTER_REASONS } from './stores/store.ts';
import type { DeadLetterFilter, ReplayFilter } from './stores/store.ts';
import { requireStatus } from './worker/pauses.ts';

const LEAVE_OUT = 'Leave it out to choose from all.';

/**
 * Refuses a wrong filter of dead letters. A member that is `undefined` is refused too, because without it the filter
 * would choose all events.
 *
 * @throws {TypeError} When a member is unknown or has another form.
 */
export function requireDeadLetterFilter(filter: unknown): asserts filter is DeadLetterFilter {
  requireMembers(filter, ['ids', 'reason', 'runId', 'automationId']);
}

/**
 * Refuses a wrong choice of handled events.
 *
 * @throws {TypeError} As `requireDeadLetterFilter`.
 */
export function requireReplayRequest(request: unknown): asserts request is ReplayRequest {
  requireMembers(request, ['ids', 'runId', 'automationId', 'handler', 'since', 'until']);
}

/**
 * Refuses a wrong page of waiting events, or a wrong filter of them.
 *
 * @throws {TypeError} As `requireDeadLetterFilter`.
 */
export function requireWaitingFilter(page: WaitingFilter): void {
  knownOptions(page, ['after', 'limit', 'runId', 'automationId']);
  for (const name of ['runId', 'automationId'] as const) {
    if (name in page) CHECKS[name](page[name]);
  }
}

/** Returns the choice of handled events as a store takes it. */
export function replayFilter({ since, until, ...others }: ReplayRequest): ReplayFilter {
  return {
    ...others,
    ...(since !== undefined && { since: Number(since) }),
    ...(until !== undefined && { until: Number(until) }),
  };
}

/** False when no store can have such an id. */
export function canMatch({ runId = '', automationId = '' }: DeadLetterFilter): boolean {
  return isStorable(runId) && isStorable(automationId);
}

function requireMembers(filter: unknown, names: readonly (keyof typeof CHECKS)[]): void {
  knownOptions(filter, names, 'filter');
  const members: Readonly<Record<string, unknown>> = { ...filter };
  for (const name of names) if (name in members) CHECKS[name](members[name]);
}

/** How each member is checked. */
const CHECKS = {
  ids(value: unknown) {
    if (Array.isArray(value) && value.every((id) => typeof id === 'string')) return;
    throw new TypeError(`ids must be a list of strings, got ${typeof value}. ${LEAVE_OUT}`);
  },
  runId: (value: unknown) => requireString('runId', value, LEAVE_OUT),
  automationId: (value: unknown) => requireString('automationId', value, LEAVE_OUT),
  reason(value: unknown) {
    if (DEAD_LETTER_REASONS.some((reason) => reason === value)) return;
    const expected = DEAD_LETTER_REASONS.join(', ');
    throw new TypeError(`reason must be one of ${expected}, got ${String(value)}. ${LEAVE_OUT}`);
  },
  handler: (value: unknown) => void requireStatus(value),
  since: (value: unknown) => void pointInTime('since', value),
  until: (value: unknown) => void pointInTime('until', value),
};
