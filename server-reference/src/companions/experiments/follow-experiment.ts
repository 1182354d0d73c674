import type { ServerResponse } from 'node:http';

import type { ExperimentStarted } from '../../generated/companions.ts';
import { presentExperiment, presentExperimentRun } from './present-experiment.ts';
import type { RunWaits } from '../../api/services.ts';
import type { ExperimentId, RunId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { isTerminal } from '../../events/run-transitions.ts';
import type { RunRecord } from '../../store/runs.ts';
import type { Store } from '../../store/store.ts';

interface FollowServices {
  readonly store: Store;
  readonly runWaits: RunWaits;
}

/** How long a run may take before the stream ends without it. */
const MAX_WAIT_MILLISECONDS = 86_400_000;

/**
 * Yields lines of JSON: the start of an experiment, each run that ends, in that order, and the end. It ends
 * early when the client disconnects or the server closes.
 */
export async function* followExperiment(
  { store, runWaits }: FollowServices,
  started: ExperimentStarted & { id: ExperimentId; runs: { id: RunId }[] },
  response: ServerResponse,
): AsyncGenerator<string, void, undefined> {
  // Each run adds a listener.
  response.setMaxListeners(0);
  const ended = new EndedRuns();
  for (const { id } of started.runs) {
    if (hasEnded(store.state.runs.get(id))) ended.add(id);
    else void runWaits.wait(id, MAX_WAIT_MILLISECONDS, response).then(() => ended.add(id));
  }
  yield line({ type: 'started', ...started });
  for (let left = started.runs.length; left > 0; left -= 1) {
    const run = store.state.runs.get(await ended.next());
    if (run === undefined) continue;
    const { scores: results = [] } = run;
    yield line({ type: 'run', run: presentExperimentRun(run), results });
  }
  const experiment = store.state.experiments.get(started.id);
  if (experiment === undefined) return;
  yield line({ type: 'completed', experiment: presentExperiment(store.state, experiment) });
}

/** A run that was deleted has ended too. */
function hasEnded(run: DeepReadonly<RunRecord> | undefined): boolean {
  return run === undefined || isTerminal(run.status);
}

/** Runs that have ended and are not shown yet. */
class EndedRuns {
  readonly #ids: RunId[] = [];
  #wake: (() => void) | undefined;

  add(id: RunId): void {
    this.#ids.push(id);
    this.#wake?.();
  }

  async next(): Promise<RunId> {
    for (;;) {
      const id = this.#ids.shift();
      if (id !== undefined) return id;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
