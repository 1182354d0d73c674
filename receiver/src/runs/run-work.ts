import { FetchRunError } from '../fetch-run/fetch-run-error.ts';
import { edgesIn } from '../processing/history.ts';
import type { LeasedEvents } from '../worker/leased-events.ts';
import { nextDue } from '../worker/next-event.ts';
import type { SourceWork } from '../worker/source-work.ts';
import { HandlerTable } from './handler-table.ts';
import { nextInOrder } from './next-in-order.ts';
import { requireStatus } from './require-status.ts';
import { planCalls } from './plan-calls.ts';
import { Run } from './run.ts';
import type { RunSettings } from './run-settings.ts';
import { RUN_WALK } from './run-walk.ts';

/**
 * Handles the events of runs, in the order in which their statuses show that they happened.
 *
 * @throws {TypeError} When `given` are no handlers.
 */
export function runWork<Tx>(settings: RunSettings, given: unknown): SourceWork<Tx> {
  const handlers = new HandlerTable<Tx>(given);
  const read = new WeakMap<LeasedEvents, { readonly run: Run; readonly length: number }>();
  const runOf = (events: LeasedEvents): Run | null => {
    if (events.key === null) return null;
    const { length } = events.known;
    const known = read.get(events);
    if (known?.length === length) return known.run;
    const run = new Run(edgesIn(events.known, RUN_WALK), events.stateOf, events.isWhole);
    read.set(events, { run, length });
    return run;
  };
  return {
    walk: RUN_WALK,
    add: (added) => handlers.add(added),
    requireHandler: (name) => void requireStatus(name),
    next(events, moment) {
      const run = settings.mode === 'ordered' ? runOf(events) : null;
      return run === null
        ? nextDue(events.open.values(), moment)
        : nextInOrder(run.first(), events.open, settings, moment);
    },
    plan: (events, event, body, planning) =>
      planCalls(events, runOf(events), event, body, { ...settings, ...planning, handlers }),
    leastWait: (cause) =>
      cause instanceof FetchRunError ? (cause.retryAfterMilliseconds ?? 0) : 0,
  };
}
