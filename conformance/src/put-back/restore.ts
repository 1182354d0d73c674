import { restoringContext } from '../context/context.ts';
import type { KnownTarget, RunContext } from '../context/context.ts';
import type { JournalEntry } from '../journal/journal.ts';
import { putBack } from './put-back.ts';

/** Bounds the time in which changes are put back, so that a target that hangs cannot keep a run alive. */
const TIMEOUT_MILLISECONDS = 30_000;

/**
 * Puts changes of a run back, and notes in the run what the target keeps. At the `end` of a run it also notes what
 * may be undone later; until then such an entry waits for the end.
 */
export async function restore(
  run: RunContext,
  known: KnownTarget,
  entries: readonly JournalEntry[],
  moment: 'attempt' | 'end',
): Promise<void> {
  if (entries.length === 0) return;
  const signal = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
  const tools = restoringContext(run, known, signal);
  for (const { what, reason, retry } of await putBack(entries, tools, run.plan.steps)) {
    if (moment === 'end' || !retry) run.leftBehind.set(what, reason);
  }
}
