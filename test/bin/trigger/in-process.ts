import { vi } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { runInProcess } from '../hookproof.ts';
import type { Finished } from '../hookproof.ts';

/** Runs a command of this process and returns what it printed. The folder for state is an empty one by default. */
export async function inProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text);
      return true;
    }),
  );
  for (const [name, value] of Object.entries({ XDG_STATE_HOME: emptyFolder(), ...env })) {
    vi.stubEnv(name, value);
  }
  try {
    const { code, stderr } = await runInProcess(args);
    return { code, stderr: written.stderr + stderr, stdout: written.stdout };
  } finally {
    process.exitCode = undefined;
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
  }
}
