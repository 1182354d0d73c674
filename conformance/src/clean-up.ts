import { createRunContext } from './context/context.ts';
import type { KnownTarget, RunContext } from './context/context.ts';
import { discoverKeys } from './discover/discover.ts';
import { Journal } from './journal/journal.ts';
import type { ConformanceOptions } from './options/options.ts';
import { planFrom } from './options/plan.ts';
import { restore } from './put-back/restore.ts';

/** What `cleanUp` found in a journal, and what it could not undo. */
export interface CleanUp {
  /** The number of changes that were not undone before. */
  readonly found: number;
  /** What could not be undone, a sentence each. It stays in the journal where it may be undone later. */
  readonly leftBehind: readonly string[];
}

/**
 * Undoes what a killed run changed, from its journal. Pass the options of that run, with its keys and tokens: they
 * are not in the journal. `cleanUp` makes the writes that this needs, also without `allowWrites`.
 *
 * Throws `TypeError` for wrong options and for options without `journal`.
 *
 * @example
 * ```ts
 * import { cleanUp } from '@hookproof/conformance';
 * import type { ConformanceOptions } from '@hookproof/conformance';
 *
 * export async function isClean(optionsOfTheRun: ConformanceOptions): Promise<boolean> {
 *   const { leftBehind } = await cleanUp(optionsOfTheRun);
 *   return leftBehind.length === 0;
 * }
 * ```
 */
export async function cleanUp(options: ConformanceOptions): Promise<CleanUp> {
  const { journal: store, now = Date.now, signal } = options;
  if (store === undefined)
    throw new TypeError('cleanUp needs journal: pass the journal of the run.');
  const plan = planFrom({ ...options, allowWrites: true });
  const journal = await Journal.reopen(store);
  const opened = createRunContext(plan, { now, hooks: {}, confirms: true, signal });
  const run: RunContext = { ...opened, journal };
  try {
    const entries = journal.outstanding();
    await restore(run, knownOf(run), entries, 'end');
    await journal.close();
    const left = [...run.leftBehind].map(([what, reason]) =>
      reason === null ? what : `${what}: ${reason}`,
    );
    return { found: entries.length, leftBehind: run.redactor.redactAll(left) };
  } finally {
    await run.close();
  }
}

/** Only a run with a key of its own writes outside of its worlds. */
function knownOf({ plan }: RunContext): KnownTarget {
  const facts = { keys: discoverKeys(plan, null), fixtures: {} };
  return { facts, receiverClockOffsetMilliseconds: null, recording: null };
}
