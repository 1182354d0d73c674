import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

import { emptyFolder, serve } from './hookproof.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/hookproof.js', import.meta.url));
const hasScript = spawnSync('script', ['--version']).status === 0;
if (!hasScript) {
  process.stderr.write('LEFT OUT: the terminal test, since the program "script" is missing\n');
}

/** Runs the command line on a pseudo-terminal and gives what came to the screen, the escape character as ESC. */
function onTerminal(args: readonly string[], env: Record<string, string> = {}): string {
  const command = [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(' ');
  const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
    cwd: emptyFolder(),
    env: { PATH: process.env['PATH'], TERM: 'xterm', ...env },
    encoding: 'utf8',
  });
  return stdout.replaceAll('\u001B', 'ESC');
}

describe.skipIf(!hasScript)('on a terminal', () => {
  test('a check shows progress and colours; NO_COLOR takes the colours away', async () => {
    const { baseUrl, appUrl, keys } = await serve();
    const args = ['check', '--base-url', baseUrl, '--app-url', appUrl, '--key', keys.wildcard];
    const only = ['--only', 'api.template'];
    const colourful = onTerminal([...args, ...only]);
    expect(colourful).toMatch(/\rESC\[K\d+\/\d+ {2}api\.template\.[a-z-]+/);
    expect(colourful).toContain('ESC[32m');
    const plain = onTerminal([...args, ...only], { NO_COLOR: '1' });
    expect(plain).toContain('api.template');
    expect(plain).not.toMatch(/ESC\[\d+m/);
  });
});
