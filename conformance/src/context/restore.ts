import type { JournalEntry } from '../undo/undo.ts';
import { putBack } from '../undo/put-back.ts';
import { restoringContext } from './context.ts';
import type { KnownTarget, RunContext } from './context.ts';

/** Bounds the time in which changes are put back, so that a target that hangs cannot keep a run alive. */
const TIMEOUT_MILLISECONDS = 30_000;
/** How long a list may show something else than what was written back. */
const PATIENCE_MILLISECONDS = { attempt: 5_000, end: 15_000 };

/**
 * Puts changes of a run back, and notes in the run what the target keeps. At the `end` of a run it also notes what may
 * be undone later; until then such an entry waits for the end.
 */
export async function restore(
  run: RunContext,
  known: KnownTarget,
  entries: readonly JournalEntry[],
  moment: 'attempt' | 'end',
): Promise<void> {
  if (entries.length === 0) return;
  // An interruption ends what attempts undo: the end of the run comes at once, and has its time for everything.
  const interruption = moment === 'attempt' ? run.signal : run.deadline;
  if (moment === 'attempt' && interruption.aborted) return;
  const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MILLISECONDS), interruption]);
  const context = restoringContext(run, known, signal);
  // A list that has not agreed once is not waited for again after each check.
  const isWaitedFor = moment === 'end' || !run.lists.isStale;
  const patience = Math.max(PATIENCE_MILLISECONDS[moment], run.effects.patienceMilliseconds);
  const tools = {
    api: context.api,
    get control() {
      return context.control;
    },
    steps: run.plan.steps,
    waiting: { milliseconds: isWaitedFor ? patience : 0, signal },
  };
  for (const { what, reason, retry } of await putBack(entries, tools, moment)) {
    if (moment === 'end' || !retry) run.leftBehind.set(what, reason);
    if (retry && reason === null) run.lists.isStale = true;
  }
}
