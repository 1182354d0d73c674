import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { BROKEN_CHECK, SOUND_CHECK, startBrokenProxy } from './broken-proxy.ts';
import type { BrokenProxy } from './broken-proxy.ts';
import { emptyFolder, hookproof, PROGRAM, startServer } from './hookproof.ts';
import type { Serving } from './hookproof.ts';

let server: Serving;
let proxy: BrokenProxy;
beforeAll(async () => {
  server = await startServer([], { cwd: tmpdir() });
  proxy = await startBrokenProxy(server.baseUrl);
});
afterAll(async () => {
  await proxy.stop();
  await server.stop();
});

interface Watching {
  /** Resolves with the output from the last text to this one, when it is there. */
  until(text: string): Promise<string>;
  pressEnter(): void;
  /** Sends Ctrl-C. Resolves with the exit code. */
  end(): Promise<number | null>;
}

function watch(...more: string[]): Watching {
  const target = ['--base-url', proxy.baseUrl, '--key', server.keys.wildcard];
  const only = ['--only', `${BROKEN_CHECK},${SOUND_CHECK}`];
  const child = spawn(process.execPath, [PROGRAM, 'check', ...target, ...only, ...more], {
    cwd: emptyFolder(),
    env: { PATH: process.env['PATH'] },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const exit = once(child, 'exit').then(([code]) => code);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  return {
    async until(text) {
      while (!output.includes(text)) {
        const ended = await Promise.race([once(child.stdout, 'data'), exit]);
        if (!Array.isArray(ended)) throw new Error(`ended with ${ended}: ${output}`);
      }
      const end = output.indexOf(text) + text.length;
      const seen = output.slice(0, end);
      output = output.slice(end);
      return seen;
    },
    pressEnter: () => child.stdin.write('\n'),
    end() {
      child.kill('SIGINT');
      return exit;
    },
  };
}

test('hookproof check --watch shows what changed after Enter, and ends with the code of the last run', async () => {
  proxy.isBroken = true;
  const watching = watch('--watch');
  expect(await watching.until('exit 1')).toContain('violated: 1 check failed');
  watching.pressEnter();
  const same = await watching.until('No verdict changed.\nviolated: 1 check failed');
  expect(same).toContain('0 of 1 failed checks pass now.\n  still fails: api.missing-key.inbox');
  proxy.isBroken = false;
  watching.pressEnter();
  const fixed = await watching.until('1 fixed');
  expect(fixed).toContain('1 of 1 failed checks pass now.');
  expect(fixed).toContain(`Fixed\n  ${BROKEN_CHECK}: fail → pass`);
  await watching.until('conformant');
  expect(await watching.end()).toBe(0);
});

test('hookproof check --watch runs again when the target is back', async () => {
  proxy.isBroken = true;
  const watching = watch('--watch');
  await watching.until('exit 1');
  await proxy.stop();
  await watching.until('The target does not listen.');
  proxy.isBroken = false;
  await proxy.start();
  await watching.until('The target is back: another run.');
  await watching.until('conformant');
  expect(await watching.end()).toBe(0);
});

test('hookproof check --watch N runs again after N seconds', async () => {
  proxy.isBroken = true;
  const watching = watch('--watch', '1');
  await watching.until('exit 1');
  await watching.until('No verdict changed.\nviolated');
  expect(await watching.end()).toBe(1);
});

test('hookproof check --watch begins with the report of a target that was unreachable at first', async () => {
  await proxy.stop();
  const watching = watch('--watch');
  await watching.until('exit 4');
  proxy.isBroken = false;
  await proxy.start();
  expect(await watching.until('exit 0')).toContain('The target is back: another run.');
  expect(await watching.end()).toBe(0);
});

test('hookproof check --watch refuses --json', async () => {
  const { code, stderr } = await hookproof([
    'check',
    '--base-url',
    proxy.baseUrl,
    '--watch',
    '--json',
  ]);
  expect(stderr).toMatch(/^error: --watch cannot be used with --json, got both\. /);
  expect(code).toBe(2);
});
