import type { LeasedWork } from '../stores/store.ts';
import { handleRunEvent } from './handle-run-event.ts';
import { nextEvent } from './next-event.ts';
import { RunInHand } from './run-in-hand.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** Handles what can be handled of one run now, one event after the other, then lets go of it. */
export async function processRun(
  work: LeasedWork,
  settings: WorkerSettings,
  isStopping: () => boolean,
): Promise<void> {
  const { store, clock } = settings;
  const run = new RunInHand(work);
  for (;;) {
    const next = nextEvent(run, { ...settings, now: clock.now() });
    if (next.do === 'wait') {
      await store.release(work.lease, { ids: run.waitingUntil(next.until), dueAt: next.until });
      return;
    }
    if (next.do === 'stop' || isStopping()) {
      await store.release(work.lease);
      return;
    }
    const handling = await handleRunEvent(run, next.event, settings);
    if (handling.outcome === 'lost') return;
    run.note(next.event, handling);
  }
}
