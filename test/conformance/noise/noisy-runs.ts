import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { compiledProgram } from '../../compiled-program.ts';
import type { NoisyRun } from './programs/noisy-run.ts';
import type { Kind } from './programs/targets.ts';

const PROGRAM = compiledProgram(new URL('programs/main.ts', import.meta.url));

/** Some runs of one process, one after another. */
export interface NoisyRuns {
  readonly kind: Kind;
  /** One run each. Odd ones run one check at a time, even ones eight. */
  readonly seeds: readonly number[];
}

/** Runs the suite behind noise, in a process of its own: the engine has one run in each process. */
export async function noisyRuns({ kind, seeds }: NoisyRuns): Promise<readonly NoisyRun[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    PROGRAM,
    ...seeds.map(String),
    '--kind',
    kind,
  ]);
  return stdout
    .trim()
    .split('\n')
    .map((line): NoisyRun => JSON.parse(line));
}
