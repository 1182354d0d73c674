import { describe, startTests, test } from '@vitest/runner';
import type { Task, VitestRunner } from '@vitest/runner';

import { SIDES } from '../options/options.ts';
import type { Side } from '../options/options.ts';
import { MAX_CONCURRENCY } from '../options/plan.ts';
import { Lanes } from '../wire/lanes.ts';

/** One task of the engine. `run` stores its own result and does not throw. */
interface EngineTask {
  readonly id: string;
  readonly side: Side;
  readonly exclusive: boolean;
  run(): Promise<void>;
}

/**
 * Thrown when a second run starts before the first has ended: the runner has state that they would share.
 *
 * @example
 * ```ts
 * import { RunInProgress, runConformance } from '@hookproof/conformance';
 *
 * export async function isConformant(baseUrl: string): Promise<boolean | 'busy'> {
 *   try {
 *     const { outcome } = await runConformance({ baseUrl });
 *     return outcome === 'conformant';
 *   } catch (error) {
 *     if (error instanceof RunInProgress) return 'busy';
 *     throw error;
 *   }
 * }
 * ```
 */
export class RunInProgress extends Error {
  override readonly name = 'RunInProgress';
  readonly code = 'run_in_progress';
}

/** A task has its own, shorter time limit; this one applies when that fails, and includes the wait for a lane. */
const TIMEOUT_MILLISECONDS = 7_200_000;

let running = false;
let runs = 0;

/** Claims the engine for one run; the returned function releases it. Throws `RunInProgress`. */
export function claimEngine(): () => void {
  if (running) {
    throw new RunInProgress(
      'A conformance run is in progress in this process: await it first, or use a worker thread.',
    );
  }
  running = true;
  return () => {
    running = false;
  };
}

/**
 * Runs the ordinary tasks concurrently, then the exclusive ones in sequence. Resolves with errors of the engine itself.
 * Needs the claim. `concurrency` is at most MAX_CONCURRENCY: so many tasks of each side, which are different targets, so
 * that those of one do not wait for what those of another wait for.
 */
export async function runTasks(
  tasks: readonly EngineTask[],
  concurrency: number,
): Promise<readonly string[]> {
  runs += 1;
  const lanes: Readonly<Record<Side, Lanes>> = {
    api: new Lanes(concurrency),
    sender: new Lanes(concurrency),
    receiver: new Lanes(concurrency),
  };
  const queued = tasks.map((task) => ({
    ...task,
    run: () => lanes[task.side].pass(() => task.run()),
  }));
  const [file] = await startTests([`conformance-run-${runs}`], runnerOf(queued));
  return file === undefined ? ['the engine gave no result'] : errorsOf(file);
}

function runnerOf(tasks: readonly EngineTask[]): VitestRunner {
  const register = (task: EngineTask): void => {
    test(task.id, () => task.run());
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
      // Read once per process, so that a run with less has lanes of its own.
      maxConcurrency: MAX_CONCURRENCY * SIDES.length,
      testTimeout: TIMEOUT_MILLISECONDS,
      hookTimeout: TIMEOUT_MILLISECONDS,
      retry: 0,
      includeTaskLocation: undefined,
      tags: [],
      tagsFilter: undefined,
      strictTags: false,
    },
    importFile() {
      describe.concurrent('concurrent', () =>
        tasks.filter(({ exclusive }) => !exclusive).forEach(register));
      describe.sequential('exclusive', () =>
        tasks.filter(({ exclusive }) => exclusive).forEach(register));
    },
  };
}

function errorsOf(task: Task): string[] {
  const own = (task.result?.errors ?? []).map(({ message }) => message);
  return task.type === 'suite' ? [...own, ...task.tasks.flatMap(errorsOf)] : own;
}
