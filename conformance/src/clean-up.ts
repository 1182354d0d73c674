import { createRunContext, UNKNOWN_TARGET } from './context/context.ts';
import type { KnownTarget, RunContext } from './context/context.ts';
import { restore } from './context/restore.ts';
import { discoverKeys } from './discover/discover.ts';
import type { JournalStore } from './options/journal-store.ts';
import type { ConformanceOptions } from './options/options.ts';
import { planFrom } from './options/plan.ts';
import type { Plan } from './options/plan.ts';
import { Journal } from './undo/journal.ts';
import { isDigestOf } from './undo/key-digest.ts';
import { describeUndo } from './undo/undo.ts';
import type { Undo } from './undo/undo.ts';

/** What a killed run left in a journal. */
export interface LeftChanges {
  /** Names each change, such as "review request rev_7". */
  readonly changes: readonly string[];
  /** Whether fields of a resource of the API are among them, which a next run would take for the original ones. */
  readonly areFieldsChanged: boolean;
  /** Whether a run with these options can undo them: it may write, and has the keys and the steps of that run. */
  readonly undoable: boolean;
}

/**
 * Reads what a killed run left in its journal. Sends nothing.
 *
 * Throws `TypeError` for wrong options and for options without `journal`.
 *
 * @example
 * ```ts
 * import { cleanUp, leftChanges } from '@hookproof/conformance';
 * import type { ConformanceOptions } from '@hookproof/conformance';
 *
 * export async function undoBefore(options: ConformanceOptions): Promise<void> {
 *   const { undoable } = await leftChanges(options);
 *   if (undoable) await cleanUp(options);
 * }
 * ```
 */
export async function leftChanges(options: ConformanceOptions): Promise<LeftChanges> {
  const plan = planFrom(options);
  const journal = await Journal.reopen(storeOf(options));
  const entries = journal.outstanding();
  // A killed run that had undone everything leaves a file all the same.
  await journal.close();
  return {
    changes: entries.map(({ undo }) => describeUndo(undo)),
    areFieldsChanged: entries.some(({ undo }) => undo.kind === 'fields'),
    undoable: entries.every(({ undo }) => isUndoable(undo, plan)),
  };
}

/** With the key of another tenant, an id may name something else. */
function isUndoable(undo: Undo, { allowWrites, keys, control, steps }: Plan): boolean {
  if (!allowWrites) return false;
  if (undo.kind === 'step-endpoint') return steps !== null;
  if (undo.kind !== 'fields' && undo.kind !== 'patch') return control !== null;
  return isDigestOf(keys.main ?? '', undo.keyDigest);
}

function storeOf({ journal }: ConformanceOptions): JournalStore {
  if (journal !== undefined) return journal;
  throw new TypeError('journal is missing: pass the journal of the run.');
}

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
  const { now = Date.now, signal } = options;
  const journal = await Journal.reopen(storeOf(options));
  const plan = planFrom({ ...options, allowWrites: true });
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
  return { ...UNKNOWN_TARGET, facts: { keys: discoverKeys(plan, null), fixtures: {} } };
}
