import { EVENT_ID_PREFIX } from '../generated/constants.ts';
import type { RunEvent, RunSnapshot, RunStatus } from '../generated/run-events.ts';

import { isTerminal } from '../order/run-edge.ts';
import { CREATED_AT, runCreatedEvent, runStatusChangedEvent } from './run-events.ts';

export interface RunTimelineOptions {
  /**
   * Fields of `data.run` in every event; status and dates follow from the timeline. As the platform
   * does, only the event of the status `completed` has `output` and `outputOmitted`.
   */
  readonly run?: Partial<Omit<RunSnapshot, 'status' | 'createdAt' | 'startedAt' | 'completedAt'>>;
  /** Time at which the run is created, ISO 8601. Default: 2026-07-01 at noon UTC. */
  readonly startsAt?: string;
  /** Time between two events. Default: 1000. */
  readonly stepMilliseconds?: number;
}

/**
 * Builds the events of one run in order: its creation in the first status, then one change for each
 * further status. Event ids are derived from the run id and the position, so that the same call
 * always builds the same events.
 *
 * @throws {TypeError} When `statuses` is empty.
 * @example
 * ```ts
 * import { runTimeline, signEvent } from '@hookproof/receiver/testing';
 *
 * const deliveries = runTimeline(['pending', 'running', 'completed'], { run: { id: 'exec_7' } }).map(
 *   (event) => signEvent(event, { secret: 'whsec_c2VjcmV0' }),
 * );
 * console.log(deliveries.length); // 3
 * ```
 */
export function runTimeline(
  statuses: readonly RunStatus[],
  options: RunTimelineOptions = {},
): readonly RunEvent[] {
  if (!Array.isArray(statuses)) {
    throw new TypeError(
      `statuses must be a list such as ['pending', 'running'], got ${typeof statuses}.`,
    );
  }
  const { stepMilliseconds = 1000, startsAt = CREATED_AT } = options;
  const { output, outputOmitted, ...facts } = options.run ?? {};
  const result = {
    ...(output !== undefined && { output }),
    ...(outputOmitted !== undefined && { outputOmitted }),
  };
  const runId = facts.id ?? 'exec_1';
  const timeOf = (position: number): string =>
    new Date(Date.parse(startsAt) + position * stepMilliseconds).toISOString();
  const firstTime = (after: number, matches: (status: RunStatus) => boolean): string | null => {
    const position = statuses.findIndex(matches);
    return position < 0 || position > after ? null : timeOf(position);
  };

  if (statuses.length === 0) throw new TypeError('statuses must have at least one status, got 0.');
  return statuses.map((status, position) => {
    const shared = {
      id: `${EVENT_ID_PREFIX}${runId}_${position + 1}`,
      createdAt: timeOf(position),
      run: {
        ...facts,
        ...(status === 'completed' && result),
        id: runId,
        status,
        createdAt: timeOf(0),
        startedAt: firstTime(position, (one) => one === 'running'),
        completedAt: firstTime(position, isTerminal),
      },
    };
    const previousStatus = statuses[position - 1];
    return previousStatus === undefined
      ? runCreatedEvent(shared)
      : runStatusChangedEvent({ ...shared, previousStatus, currentStatus: status });
  });
}
