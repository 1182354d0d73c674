import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../empty-folder.ts';
import { describeWith } from '../services/local-server.ts';
import { listenAt, statuses } from '../server-reference/events/endpoint-listener.ts';
import { hookproof, PROGRAM, serve, stateFile } from './hookproof.ts';

/** Does what a person is asked to do, and returns what the person types then. */
type Answer = (written: string) => Promise<string>;

interface OnTerminal {
  readonly env?: Record<string, string>;
  readonly columns?: number;
  /** Texts, each with what is typed when it is shown. */
  readonly types?: readonly (readonly [shown: string | RegExp, typed: string | Answer])[];
}

/** Runs the command line on a pseudo-terminal. Returns what it printed, with ESC for the escape character. */
function onTerminal(args: readonly string[], options: OnTerminal = {}): Promise<string> {
  return inTerminal(
    [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(' '),
    options,
  );
}

async function inTerminal(
  command: string,
  { env = {}, columns = 80, types = [] }: OnTerminal,
): Promise<string> {
  const child = spawn('script', ['-qec', `stty cols ${columns}; ${command}`, '/dev/null'], {
    cwd: emptyFolder(),
    env: { PATH: process.env['PATH'], TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let written = '';
  const waiting = [...types];
  for await (const chunk of child.stdout) {
    written += String(chunk);
    const [next] = waiting;
    if (next === undefined || !has(written, next[0])) continue;
    waiting.shift();
    child.stdin.write(typeof next[1] === 'string' ? next[1] : await next[1](written));
  }
  return written.replaceAll('\u001B', 'ESC');
}

function has(written: string, shown: string | RegExp): boolean {
  return typeof shown === 'string' ? written.includes(shown) : shown.test(written);
}

/** Sends one event to the URL that a person is shown. */
const deliver: Answer = async (written) => {
  const [url = ''] = /http:\/\/127\S+\/\S+/.exec(written) ?? [];
  await fetch(url, { method: 'POST', body: '{"id":"whev_1","test":true,"data":{}}' });
  return '\r';
};

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
      expect(shown.length).toBeLessThan(24);
      expect(shown.join('\n')).toMatch(
        / {2}add --key "\$HOOKPROOF_KEY" with a valid key \(\d+ checks\)\n {4}the API refused the key with 401/,
      );
      expect(shown.join(' ')).toMatch(/no result: .* {2}exit 3/);
    },
  );

  test('check --ask asks each question on a line of its own, also after progress', async () => {
    const enter = 'Press Enter when done, s to skip, q to stop: ';
    const prompt = `\u001B[1G\u001B[0J${enter}`;
    const args = ['check', '--sender', '--ask', '--allow-writes', '--retry-window', '1'];
    const written = await onTerminal([...args, '--only', 'sender.header'], {
      env: PLAIN,
      types: [
        [`x-hookproof-second: 2\r\n${prompt}`, deliver],
        ['Enter without one: ', 'whsec_that_nobody_sees\r'],
        ['y or n: ', 'n\r'],
        [`("Send test").\r\n${prompt}`, 's\r'],
        [`run of a workflow and wait until it is completed.\r\n${prompt}`, 's\r'],
        [`run of an agent and wait until it is completed.\r\n${prompt}`, 's\r'],
        [/Delete the webhook endpoint again:\r\n {2}\S+\r\n.*stop: /, '\r'],
      ],
    });
    expect(written).not.toContain('nobody_sees');
    const lines = written.split(/\r*\n/).map((line) => line.replace(/[^]*\rESC\[K/, ''));
    expect(lines.filter((line) => /ESC\[K|\r/.test(line))).toEqual([]);
    expect(lines).toEqual(
      expect.arrayContaining([
        'Open the dashboard of the deployment and create a webhook endpoint with this URL:',
        'Send a test event to the endpoint ("Send test").',
        'Delete the webhook endpoint again:',
      ]),
    );
    expect(lines.filter((line) => line.includes(enter))).toHaveLength(5);
    expect(written).toMatch(/exit \d/);
  });

  test('serve shows an attempt in one line, and does what its keys say', async () => {
    const app = await listenAt((response) => {
      response.statusCode = 422;
      response.end(JSON.stringify({ code: 'not_an_order', detail: 'x'.repeat(200) }));
    });
    const args = ['serve', '--port', '0', '--forward-to', app.url, '--retry-profile', 'real'];
    const env = { ...PLAIN, HOOKPROOF_STATE_FILE: stateFile() };
    const written = await onTerminal(args, {
      env,
      types: [
        ['Keys:', 'v'],
        ['npx hookproof trigger', 't'],
        ['not retried', 'q'],
      ],
    });
    const lines = written.split(/\r?\n/).map((line) => line.replace(/[^]*\rESC\[K/, ''));
    expect(written).toMatch(/ {2}export HOOKPROOF_CONTROL_TOKEN=hpc_[0-9a-f]{48}\r\n/);
    expect(lines.find((line) => line.includes('→'))).toMatch(
      /^[\d:.]{12} {2}→ run\.created pending {2}exec_\w+ {2}http:\S+ {2}422 {2}[\d.]+ ms {2}\{"code":"not_an_order".*… {2}not retried$/,
    );
  });

  test('serve ignores pasted text, and a key twice in a row or after q', async () => {
    const app = await listenAt(statuses(202));
    const args = ['serve', '--port', '0', '--forward-to', app.url];
    const env = { ...PLAIN, HOOKPROOF_STATE_FILE: stateFile() };
    const written = await onTerminal(args, {
      env,
      types: [
        ['q quit.', 'a pasted line that has t, r, o, v and q in it\n'],
        ['q quit.', 'xyzt'],
        ['run.status_changed completed', 'rr'],
        ['attempt 3', 'qrrr'],
      ],
    });
    expect(written.match(/Keys:/g)).toHaveLength(2);
    expect(written).not.toContain('retry in');
    expect(written).not.toContain('fetch failed');
    expect(app.arrivals).toHaveLength(6);
  });

  test('serve in the background of a shell leaves the terminal to the shell', async () => {
    const app = await listenAt(statuses(202));
    const env = { ...PLAIN, HOOKPROOF_STATE_FILE: stateFile() };
    const command = `'${process.execPath}' '${PROGRAM}'`;
    const script = `set -m; ${command} serve --port 0 --forward-to ${app.url} & read line; ${command} trigger; kill %1; wait %1`;
    const written = await inTerminal(`bash -c "${script}"`, {
      env,
      types: [['stops.', 'ready\n']],
    });
    expect(written).not.toContain('Keys:');
    expect(written).not.toContain('Stopped');
    expect(written).toMatch(
      /\r\n {2}dashboard {7}http:\/\/127\.0\.0\.1:\d+\/_dashboard\/#hpc_[0-9a-f]{48}\r\n/,
    );
    expect(written).toMatch(/--log shows requests and attempts, .* kill \d+ stops\.\r\n/);
    // Those of trigger alone.
    expect(written.match(/ 202 /g)).toHaveLength(app.arrivals.length);
  });

  test('listen in the background of a shell runs, and says how it is stopped', async () => {
    const script = `set -m; '${process.execPath}' '${PROGRAM}' listen --port 0 & read line; jobs; kill %1; wait %1`;
    const written = await inTerminal(`bash -c "${script}"`, {
      env: PLAIN,
      types: [['stops.', 'ready\n']],
    });
    expect(written).toMatch(/ {2}kill \d+ stops\.\r\n/);
    expect(written).toMatch(/Running/);
  });
});
