import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { Report, Verdict } from '@hookproof/conformance';

import { compiledProgram } from '../../compiled-program.ts';

/** The report on a receiver. The runner inside the suite is the one that runs these tests, so it has its own process. */
export async function judgeReceiver(
  name: string,
  options: {
    readonly observed?: boolean;
    readonly only?: readonly string[];
    readonly concurrency?: number;
  } = {},
): Promise<Report> {
  const program = compiledProgram(new URL('../programs/judge-receiver.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, name, JSON.stringify(options)],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(stdout);
}

/** The ids of the checks with one of some verdicts. */
export function idsWith({ checks }: Report, ...verdicts: readonly Verdict[]): readonly string[] {
  return checks.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
}
