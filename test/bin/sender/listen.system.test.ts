import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Report } from '@hookproof/conformance';
import { describe, expect, onTestFinished, test } from 'vitest';

import { compiledProgram } from '../../compiled-program.ts';
import { emptyFolder } from '../../empty-folder.ts';
import { freePort } from '../../free-port.ts';
import { controlClient } from '../../server-reference/lab/control/control-client.ts';
import { selfSigned } from '../../server-reference/events/self-signed.ts';
import type { SelfSigned } from '../../server-reference/events/self-signed.ts';
import { testWith } from '../../services/local-server.ts';
import { hookproof, PROGRAM, serve, serveProcess } from '../hookproof.ts';
import type { Serving } from '../hookproof.ts';

const CHECKS = ['sender.run-created.sent', 'sender.signature.over-raw-bytes'];
const ONLY = ['--only', CHECKS.join(',')];

async function check(server: Serving, args: readonly string[]): Promise<Report> {
  const api = ['--base-url', server.baseUrl, '--sender', '--allow-writes', ...ONLY];
  const control = ['--control-url', server.controlUrl, '--control-token', server.controlToken];
  const { stdout } = await hookproof(['check', ...api, ...control, '--json', ...args]);
  return JSON.parse(stdout);
}

/** Runs the suite with a listener that ends TLS itself. */
async function checkWithTls(server: Serving, { cert, key }: SelfSigned['files']): Promise<Report> {
  const program = compiledProgram(new URL('programs/check-with-tls.ts', import.meta.url));
  const child = spawn(process.execPath, [program], {
    env: {
      BASE_URL: server.baseUrl,
      CONTROL_URL: server.controlUrl,
      CONTROL_TOKEN: server.controlToken,
      ONLY: CHECKS.join(','),
      TLS_CERT: cert,
      TLS_KEY: key,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(child.stdout));
}

/** Starts a reverse proxy in front of a port; returns its own port. */
async function proxyTo(port: number, env: Record<string, string> = {}): Promise<number> {
  const program = compiledProgram(new URL('programs/proxy.ts', import.meta.url));
  const child = spawn(process.execPath, [program], {
    env: { TARGET_PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [line] = await once(child.stdout, 'data');
  return Number(String(line));
}

function verdicts({ checks }: Report): readonly string[] {
  return checks.map(({ verdict, message }) => (verdict === 'pass' ? 'pass' : message));
}

describe('the address of the listener', () => {
  test('may be behind a reverse proxy that removes a part of the path', async () => {
    const server = await serve();
    const port = await freePort();
    const proxy = await proxyTo(port);
    const report = await check(server, [
      '--listen',
      `127.0.0.1:${port}`,
      '--public-url',
      `http://127.0.0.1:${proxy}/tunnel`,
    ]);
    expect(verdicts(report)).toEqual(['pass', 'pass']);
  });

  testWith('openssl')('may end TLS itself', async () => {
    const { cert, key } = selfSigned().files;
    const server = await serveProcess([], { env: { NODE_EXTRA_CA_CERTS: cert } });
    expect(verdicts(await checkWithTls(server, { cert, key }))).toEqual(['pass', 'pass']);
  });

  testWith('openssl')('may be behind a proxy that ends TLS', async () => {
    const { cert, key } = selfSigned().files;
    const server = await serveProcess([], { env: { NODE_EXTRA_CA_CERTS: cert } });
    const port = await freePort();
    const proxy = await proxyTo(port, { TLS_CERT: cert, TLS_KEY: key });
    const report = await check(server, [
      '--listen',
      `127.0.0.1:${port}`,
      '--public-url',
      `https://127.0.0.1:${proxy}/tunnel`,
    ]);
    expect(verdicts(report)).toEqual(['pass', 'pass']);
  });

  testWith('openssl')('accuses no sender that does not trust its certificate', async () => {
    const { cert, key } = selfSigned().files;
    const server = await serve();
    const report = await checkWithTls(server, { cert, key });
    expect(report.unreachable?.message).toMatch(
      /^no delivery reached the suite at https:\/\/127\.0\.0\.1:\d+: the sender reports .*certificate/i,
    );
    expect(report.counts['could-not-run']).toBe(2);
    expect(report.exitCode).toBe(4);
  });
});

/** Does at the server what the person is asked to do, and returns what the person types. */
async function typed(question: string, server: Serving): Promise<string | null> {
  const control = controlClient(server);
  const url = /create a webhook endpoint with this URL:\s+(http\S+)/.exec(question)?.[1];
  if (question.includes('Press Enter when done') && url !== undefined) {
    ({ secret } = await control.endpoint(url));
    return '\r';
  }
  if (question.includes('Paste its secret')) return `${secret}\r`;
  if (question.includes('custom headers? y or n')) return 'n\r';
  if (question.includes('Start a run of a workflow')) {
    const moves = ['running', 'finalizing', 'completed'];
    await control.run({
      scheduledTransitions: moves.map((status) => ({ status, afterMilliseconds: 1 })),
    });
    return '\r';
  }
  if (question.includes('Paste the id of the run')) return '\r';
  return question.includes('Press Enter when done') ? 's\r' : null;
}
let secret = '';

testWith('script')('a person at the terminal causes the deliveries', async () => {
  const server = await serve();
  const args = ['check', '--base-url', server.baseUrl, '--sender', '--allow-writes', '--ask'];
  const words = [process.execPath, PROGRAM, ...args, ...ONLY, '--retry-window', '3'];
  const child = spawn('script', ['-qec', words.map((word) => `'${word}'`).join(' '), '/dev/null'], {
    cwd: emptyFolder(),
    env: { PATH: process.env['PATH'], TERM: 'dumb', HOOKPROOF_KEY: server.keys.wildcard },
  });
  let shown = '';
  let waiting = '';
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    waiting += chunk.toString();
    if (!waiting.endsWith(': ')) return;
    const question = waiting;
    waiting = '';
    void typed(question, server).then((keys) => keys === null || child.stdin.write(keys));
  });
  await once(child, 'exit');
  expect(shown).toContain('2 pass');
  expect(shown).not.toContain(secret);
});
