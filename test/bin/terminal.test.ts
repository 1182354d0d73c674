import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';

import { emptyFolder, hookproof, PROGRAM, serve } from './hookproof.ts';

const hasScript = spawnSync('script', ['--version']).status === 0;
if (!hasScript) {
  process.stderr.write('Skipped: the terminal test needs the program "script".\n');
}

/** Runs the command line on a pseudo-terminal. Returns what it printed, with ESC for the escape character. */
function onTerminal(
  args: readonly string[],
  env: Record<string, string> = {},
  columns = 80,
): string {
  const command = [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(' ');
  const { stdout } = spawnSync(
    'script',
    ['-qec', `stty cols ${columns}; ${command}`, '/dev/null'],
    {
      cwd: emptyFolder(),
      env: { PATH: process.env['PATH'], TERM: 'xterm', ...env },
      encoding: 'utf8',
    },
  );
  return stdout.replaceAll('\u001B', 'ESC');
}

test('FORCE_COLOR colors a pipe, and 0 does not', async () => {
  const { baseUrl, keys } = await serve();
  const args = ['check', '--base-url', baseUrl, '--key', keys.wildcard, '--only', 'api.template'];
  const forced = await hookproof(args, { env: { FORCE_COLOR: '1', NO_COLOR: '1' } });
  expect(forced.stdout).toContain('\u001B[32m');
  expect((await hookproof(args, { env: { FORCE_COLOR: '0' } })).stdout).not.toContain('\u001B');
});

describe.skipIf(!hasScript)('on a terminal', () => {
  test('check shows progress and colors, and no colors with NO_COLOR', async () => {
    const { baseUrl, appUrl, keys } = await serve();
    const args = ['check', '--base-url', baseUrl, '--app-url', appUrl, '--key', keys.wildcard];
    const only = ['--only', 'api.template'];
    const colorful = onTerminal([...args, ...only]);
    expect(colorful).toMatch(/\rESC\[K\d+\/\d+ {2}api\.template\.[a-z-]+/);
    expect(colorful).toContain('ESC[32m');
    const plain = onTerminal([...args, ...only], { NO_COLOR: '1' });
    expect(plain).toContain('api.template');
    expect(plain).not.toMatch(/ESC\[\d+m/);
  });

  test.each([60, 80, 120])(
    'check of a refused key fits in %d columns, with the reason last',
    async (columns) => {
      const { baseUrl } = await serve();
      const args = ['check', '--base-url', baseUrl, '--key', 'hpk_of_nobody'];
      const lines = onTerminal(args, { NO_COLOR: '1' }, columns).split(/\r?\n/);
      const shown = lines.map((line) => line.replace(/[^]*\rESC\[K/, ''));
      expect(shown.filter((line) => line.length > columns)).toEqual([]);
      // All of it is on a screen.
      expect(shown.length).toBeLessThan(20);
      expect(shown.join('\n')).toContain(`  --key "$HOOKPROOF_KEY" with a valid key (173 checks)
    the API refused the key with 401`);
      expect(shown.join(' ')).toMatch(/nothing established: .* {2}exit 3/);
    },
  );
});
