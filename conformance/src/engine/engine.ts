import { describe, startTests, test } from '@vitest/runner';
import type { File, Task, VitestRunner } from '@vitest/runner';

declare module '@vitest/runner' {
  interface TaskMeta {
    /** Ids of the runner are positional; this one is ours. */
    checkId?: string;
  }
}

/** One piece of work for the engine. `run` keeps its own result and is not expected to throw. */
export interface EngineTask {
  readonly id: string;
  readonly exclusive: boolean;
  run(): Promise<void>;
}

/** What went wrong around the tasks: each entry is an error of the suite, never of the target. */
export interface EngineErrors {
  /** Tasks that threw, never ran or outlived the engine's patience, by id. */
  readonly byTask: ReadonlyMap<string, string>;
  /** Errors that belong to no task. */
  readonly others: readonly string[];
}

/** Thrown when a second run is started before the first has ended: they would corrupt each other. */
export class RunInProgress extends Error {
  override readonly name = 'RunInProgress';
  readonly code = 'run_in_progress';
}

/** The runner reads its limit once per process, so it is one number for all runs. */
const MAX_CONCURRENCY = 8;
/** Each task has its own, far shorter limit; this one is for a task whose own limit failed. */
const TIMEOUT_MILLISECONDS = 900_000;

let running = false;
let runs = 0;

/** Takes the engine for one run; call the result when the run is over. Throws `RunInProgress`. */
export function claimEngine(): () => void {
  if (running) {
    throw new RunInProgress(
      'a conformance run is in progress in this process: await it first, or use a worker thread',
    );
  }
  running = true;
  return () => {
    running = false;
  };
}

/**
 * Runs all tasks: the ordinary ones side by side, then the exclusive ones one after the other. Only for the holder
 * of the claim.
 */
export async function runTasks(tasks: readonly EngineTask[]): Promise<EngineErrors> {
  runs += 1;
  const [file] = await startTests([`conformance-run-${runs}`], runnerOf(tasks));
  return errorsOf(tasks, file);
}

function runnerOf(tasks: readonly EngineTask[]): VitestRunner {
  const register = (task: EngineTask): void => {
    test(task.id, { meta: { checkId: task.id } }, () => task.run());
  };
  return {
    config: {
      root: '/',
      setupFiles: [],
      name: undefined,
      passWithNoTests: true,
      testNamePattern: undefined,
      allowOnly: false,
      sequence: { seed: 0, hooks: 'stack', setupFiles: 'list' },
      chaiConfig: undefined,
      maxConcurrency: MAX_CONCURRENCY,
      testTimeout: TIMEOUT_MILLISECONDS,
      hookTimeout: TIMEOUT_MILLISECONDS,
      retry: 0,
      includeTaskLocation: undefined,
      tags: [],
      tagsFilter: undefined,
      strictTags: false,
    },
    importFile() {
      describe.concurrent('side by side', () =>
        tasks.filter(({ exclusive }) => !exclusive).forEach(register),
      );
      describe.sequential('alone', () =>
        tasks.filter(({ exclusive }) => exclusive).forEach(register),
      );
    },
  };
}

function errorsOf(tasks: readonly EngineTask[], file: File | undefined): EngineErrors {
  const byTask = new Map(tasks.map(({ id }) => [id, 'the engine did not run this check']));
  const others: string[] = [];
  const visit = (task: Task): void => {
    const messages = (task.result?.errors ?? []).map(({ message }) => message);
    if (task.type === 'suite') {
      others.push(...messages);
      task.tasks.forEach(visit);
      return;
    }
    const id = task.meta.checkId ?? task.name;
    if (task.result?.state === 'pass') byTask.delete(id);
    else if (messages.length > 0) byTask.set(id, messages.join('; '));
  };
  if (file === undefined) others.push('the engine gave no result');
  else visit(file);
  return { byTask, others };
}
