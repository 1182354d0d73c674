import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { hookproofProcess, PROGRAM, startServer } from '../hookproof.ts';
import type { Serving } from '../hookproof.ts';

let server: Serving;
beforeAll(async () => {
  server = await startServer([], { cwd: tmpdir() });
});
afterAll(() => server.stop());

function args(): string[] {
  return [
    'check',
    '--base-url',
    server.baseUrl,
    '--key',
    server.keys.wildcard,
    '--only',
    'api.key-required.inbox',
  ];
}

/** Runs a line of a shell in which "$@" is the program with its arguments, and prints the exit code of that one. */
async function shell(line: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const child = spawn('bash', ['-c', line, 'bash', process.execPath, PROGRAM, ...args()], {
    cwd: emptyFolder(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  return { stdout, stderr };
}

test('a reader that closes the pipe after a line changes neither the exit code nor standard error', async () => {
  const { stdout, stderr } = await shell('"$@" | head -1; echo "exit ${PIPESTATUS[0]}"');
  expect(stdout).toMatch(/exit 0\n$/);
  expect(stderr).toBe('');
});

test('a closed standard error changes nothing', async () => {
  const { stdout } = await shell('"$@" 2>&-; echo "exit $?"');
  expect(stdout).toMatch(/exit 0\n$/);
});

test('a full disk behind standard output ends the program with 5 and one sentence', async () => {
  const { stdout, stderr } = await shell('"$@" > /dev/full; echo "exit $?"');
  expect(stdout).toBe('exit 5\n');
  expect(stderr).toMatch(/^error: standard output must be writable, got .*ENOSPC.*\.\n$/);
});

test('a full disk behind standard error changes nothing', async () => {
  const { stdout } = await shell('"$@" 2> /dev/full; echo "exit $?"');
  expect(stdout).toMatch(/exit 0\n$/);
});

test('an error that no code catches ends the program with 5 and one sentence', async () => {
  const file = join(emptyFolder(), 'throw.cjs');
  const thrown = "Object.assign(new Error('the disk is gone.'), { code: 'EIO' })";
  writeFileSync(
    file,
    `process.on('newListener', (event) => {
       if (event === 'uncaughtException') setImmediate(() => { throw ${thrown}; });
     });`,
  );
  const { code, stderr } = await hookproofProcess(['demo', '--help'], {
    env: { NODE_OPTIONS: `--require ${file}` },
  });
  expect({ code, stderr }).toEqual({ code: 5, stderr: 'error: the disk is gone.\n' });
});
