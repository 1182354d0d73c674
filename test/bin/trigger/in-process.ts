import { vi } from 'vitest';

import { emptyFolder, runInProcess } from '../hookproof.ts';
import type { Finished } from '../hookproof.ts';

/** Runs a command of this process and returns what it printed. The folder for state is an empty one by default. */
export async function inProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const written: string[] = [];
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  for (const [name, value] of Object.entries({ XDG_STATE_HOME: emptyFolder(), ...env })) {
    vi.stubEnv(name, value);
  }
  try {
    const { code, stderr } = await runInProcess(args);
    return { code, stderr, stdout: written.join('') };
  } finally {
    process.exitCode = undefined;
    stdout.mockRestore();
    vi.unstubAllEnvs();
  }
}
