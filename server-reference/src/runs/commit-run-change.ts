import type { RunSnapshot } from '@hookproof/spec';

import type { Services } from '../app/handler.ts';
import type { State } from '../store/state.ts';
import type { RunChange } from './create-run.ts';
import { runSnapshot } from './run-snapshot.ts';

/**
 * Commits a change of a run, then hands its deliveries to the sender and its course to the worker:
 * never before they are durable.
 *
 * @returns the run as the change left it
 */
export async function commitRunChange(
  { store, sender, runWorker }: Services,
  mutate: (state: State) => RunChange,
): Promise<RunSnapshot> {
  const { run, snapshot, deliveries } = await store.commit((state) => {
    const change = mutate(state);
    return { ...change, snapshot: runSnapshot(change.run) };
  });
  sender.enqueue(deliveries);
  runWorker.take(run);
  return snapshot;
}
