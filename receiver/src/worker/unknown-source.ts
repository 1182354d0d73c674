import type { SourceWork } from './source-work.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** How long the events of a source wait that this process does not have. */
const WAIT_MILLISECONDS = 60_000;

/** Lets the events of a source wait that the receiver does not have, and reports it. */
export function unknownSource<Tx>(
  source: string,
  { report, sources }: Pick<WorkerSettings<Tx>, 'report' | 'sources'>,
): SourceWork<Tx> {
  const message =
    `Events of the source ${source} wait, because this receiver has only ${[...sources.keys()].join(', ')}. ` +
    'Every process that shares a store needs all of its sources: add the source to each.';
  return {
    walk: null,
    add() {},
    requireHandler() {},
    next(_events, { now }) {
      report({ code: 'source_unknown', message, source, eventId: null, runId: null }, source);
      return { do: 'wait', until: now + WAIT_MILLISECONDS };
    },
    plan: () => Promise.reject(new TypeError(message)),
    leastWait: () => 0,
  };
}
