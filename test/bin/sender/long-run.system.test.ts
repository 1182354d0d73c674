import type { Report } from '@hookproof/conformance';
import { expect, test } from 'vitest';

import { compiledProgram } from '../../compiled-program.ts';
import { emptyFolder } from '../../empty-folder.ts';
import { hookproofProcess, serve } from '../hookproof.ts';

const SENDER = `'${process.execPath}' '${compiledProgram(new URL('programs/waiting-sender.ts', import.meta.url))}'`;

test('a run of a thousand changes with one lost event is judged to the end', async () => {
  const { baseUrl, appUrl, keys } = await serve();
  const target = ['--base-url', baseUrl, '--app-url', appUrl, '--sender', '--only', 'sender'];
  const unlocked = ['--allow-writes', '--step-command', SENDER, '--retry-window', '2', '--json'];
  const { stdout } = await hookproofProcess(['check', ...target, ...unlocked], {
    cwd: emptyFolder(),
    env: { HOOKPROOF_KEY: keys.wildcard },
  });
  const report: Report = JSON.parse(stdout);
  const failed = report.checks.filter(({ verdict }) => verdict === 'fail');
  expect(failed.map(({ id }) => id)).toEqual(['sender.status-changed.chain']);
  expect(failed[0]?.violation).toMatchObject({
    expected: 'a chain of all changes of run_1 that begins at pending',
    actual: expect.stringMatching(/^pending → running, .* and 971 more$/),
  });
});
