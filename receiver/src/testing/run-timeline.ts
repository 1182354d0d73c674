import { EVENT_ID_PREFIX, TERMINAL_RUN_STATUSES } from '@hookproof/spec';
import type { RunEvent, RunSnapshot, RunStatus } from '@hookproof/spec';

import { runCreatedEvent, runStatusChangedEvent } from './run-events.ts';

const FIRST_EVENT_AT = '2026-07-01T12:00:00.000Z';

export interface RunTimelineOptions {
  /** Fields of `data.run` in every event; status and dates follow from the timeline. */
  readonly run?: Partial<Omit<RunSnapshot, 'status' | 'createdAt' | 'startedAt' | 'completedAt'>>;
  /** When the run is created, ISO 8601. Default: 2026-07-01 at noon UTC. */
  readonly startsAt?: string;
  /** Time between events. Default: 1000. */
  readonly stepMilliseconds?: number;
}

/**
 * The events of one run in their order: its creation in the first status, then one change for each
 * further status. Event ids are the run id and the place in the timeline, so that the same call always
 * builds the same events.
 *
 * @throws {TypeError} When there is no status.
 */
export function runTimeline(
  statuses: readonly RunStatus[],
  options: RunTimelineOptions = {},
): readonly RunEvent[] {
  const { stepMilliseconds = 1000, startsAt = FIRST_EVENT_AT } = options;
  const runId = options.run?.id ?? 'run_1';
  const timeOf = (position: number): string =>
    new Date(Date.parse(startsAt) + position * stepMilliseconds).toISOString();
  const firstTime = (after: number, matches: (status: RunStatus) => boolean): string | null => {
    const position = statuses.findIndex(matches);
    return position < 0 || position > after ? null : timeOf(position);
  };

  if (statuses.length === 0) throw new TypeError('statuses must name at least the first status');
  return statuses.map((status, position) => {
    const shared = {
      id: `${EVENT_ID_PREFIX}${runId}_${position + 1}`,
      createdAt: timeOf(position),
      run: {
        ...options.run,
        id: runId,
        status,
        createdAt: timeOf(0),
        startedAt: firstTime(position, (one) => one === 'running'),
        completedAt: firstTime(position, (one) => TERMINAL_RUN_STATUSES.includes(one)),
      },
    };
    const previousStatus = statuses[position - 1];
    return previousStatus === undefined
      ? runCreatedEvent(shared)
      : runStatusChangedEvent({ ...shared, previousStatus, currentStatus: status });
  });
}
