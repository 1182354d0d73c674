import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';

import { describeWith } from '../services/local-server.ts';
import { listenAt } from '../server-reference/events/endpoint-listener.ts';
import { emptyFolder, hookproof, PROGRAM, serve } from './hookproof.ts';

interface OnTerminal {
  readonly env?: Record<string, string>;
  readonly columns?: number;
  /** A text, and what is typed when it is shown. */
  readonly type?: readonly [shown: string, typed: string];
}

/** Runs the command line on a pseudo-terminal. Returns what it printed, with ESC for the escape character. */
async function onTerminal(
  args: readonly string[],
  { env = {}, columns = 80, type }: OnTerminal = {},
): Promise<string> {
  const command = [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', `stty cols ${columns}; ${command}`, '/dev/null'], {
    cwd: emptyFolder(),
    env: { PATH: process.env['PATH'], TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let written = '';
  let isTyped = false;
  for await (const chunk of child.stdout) {
    written += String(chunk);
    if (type === undefined || isTyped || !written.includes(type[0])) continue;
    child.stdin.write(type[1]);
    isTyped = true;
  }
  return written.replaceAll('\u001B', 'ESC');
}

const PLAIN = { NO_COLOR: '1' };

test('FORCE_COLOR colors a pipe, and 0 does not', async () => {
  const { baseUrl, keys } = await serve();
  const args = ['check', '--base-url', baseUrl, '--key', keys.wildcard, '--only', 'api.template'];
  const forced = await hookproof(args, { env: { FORCE_COLOR: '1', NO_COLOR: '1' } });
  expect(forced.stdout).toContain('\u001B[32m');
  expect((await hookproof(args, { env: { FORCE_COLOR: '0' } })).stdout).not.toContain('\u001B');
});

describeWith('script')('on a terminal', () => {
  test('check shows progress and colors, and no colors with NO_COLOR', async () => {
    const { baseUrl, appUrl, keys } = await serve();
    const args = ['check', '--base-url', baseUrl, '--app-url', appUrl, '--key', keys.wildcard];
    const only = ['--only', 'api.template'];
    const colorful = await onTerminal([...args, ...only]);
    expect(colorful).toMatch(/\rESC\[K\d+\/\d+ {2}api\.template\.[a-z-]+/);
    expect(colorful).toContain('ESC[32m');
    const plain = await onTerminal([...args, ...only], { env: PLAIN });
    expect(plain).toContain('api.template');
    expect(plain).not.toMatch(/ESC\[\d+m/);
  });

  test.each([60, 80, 120])(
    'check of a refused key fits in %d columns, with the reason last',
    async (columns) => {
      const { baseUrl } = await serve();
      const args = ['check', '--base-url', baseUrl, '--key', 'hpk_of_no_tenant'];
      const lines = (await onTerminal(args, { env: PLAIN, columns })).split(/\r?\n/);
      const shown = lines.map((line) => line.replace(/[^]*\rESC\[K/, ''));
      expect(shown.filter((line) => line.length > columns)).toEqual([]);
      // All of it is on a screen.
      expect(shown.length).toBeLessThan(20);
      expect(shown.join('\n')).toContain(`  --key "$HOOKPROOF_KEY" with a valid key (173 checks)
    the API refused the key with 401`);
      expect(shown.join(' ')).toMatch(/nothing established: .* {2}exit 3/);
    },
  );

  test('trigger breaks its lines between words', async () => {
    const app = await listenAt((response) => {
      response.statusCode = 401;
      response.end('{"code":"signature_mismatch"}');
    });
    const args = ['trigger', 'rejected', '--to', app.url, '--secret', 'whsec_of_the_app'];
    const shown = (await onTerminal(args, { env: PLAIN })).split(/\r?\n/);
    expect(shown.filter((line) => line.length > 80)).toEqual([]);
    expect(shown.join(' ').replaceAll(/ +/g, ' ')).toContain(
      'and verify the bytes as received, before a parser (express.raw(), request.arrayBuffer()).',
    );
  });

  test('listen breaks its lines between words', async () => {
    const args = ['listen', '--port', '0', '--forward-to', 'http://127.0.0.1:9/'];
    const written = await onTerminal(args, { env: PLAIN, type: ['Keys:', 'q'] });
    expect(written.split(/\r?\n/).filter((line) => line.length > 80)).toEqual([]);
    expect(written).toMatch(
      / {2}app {9}nothing listens at http:\/\/127\.0\.0\.1:9\/ \(ECONNREFUSED\); the\r\n {14}platform gets 502 and tries again\r\n/,
    );
  });
});
