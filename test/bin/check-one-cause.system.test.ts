import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';

import type { Report } from '@hookproof/conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { hookproof, startServer } from './hookproof.ts';
import type { Serving } from './hookproof.ts';

let server: Serving;
beforeAll(async () => {
  server = await startServer([], { cwd: tmpdir() });
});
afterAll(() => server.stop());

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Checks the server through a proxy that changes its responses, or sends it this Host header. */
async function checkThrough(
  { change = (answer) => answer, host }: { change?: typeof identity; host?: string },
  ...options: readonly string[]
): Promise<Report> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming;
    const sent = request(
      new URL(url, server.baseUrl),
      { method, headers: { ...headers, ...(host === undefined ? {} : { host }) } },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const { 'content-length': _length, ...others } = response.headers;
          const type = response.headers['content-type'] ?? 'application/octet-stream';
          const whole = Buffer.concat(parts);
          const before = { status: response.statusCode ?? 0, type, body: whole.toString() };
          const { status, type: changed, body } = change(before, url);
          outgoing.writeHead(status, { ...others, 'content-type': changed });
          outgoing.end(body === before.body ? whole : body);
        });
      },
    );
    incoming.pipe(sent);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const target = ['--base-url', url, '--app-url', url, '--control-url', server.controlUrl];
  const unlocked = ['--control-token', server.controlToken, '--allow-writes', '--allow-deletes'];
  const { stdout } = await hookproof(['check', ...target, ...unlocked, '--json', ...options]);
  proxy.closeAllConnections();
  proxy.close();
  return JSON.parse(stdout);
}

function identity(answer: Answer, _url: string): Answer {
  return answer;
}

function idsOf({ checks }: Report, verdict: Report['checks'][number]['verdict']): string[] {
  return checks.filter((check) => check.verdict === verdict).map(({ id }) => id);
}

describe('one cause is one finding', () => {
  test('a host that refuses everything, with its own words', async () => {
    const { exitCode, unreachable, counts } = await checkThrough({ host: 'other.example' });
    expect(exitCode).toBe(4);
    expect(unreachable?.message).toContain('expected this API, got 421 twice');
    expect(unreachable?.message).toContain('serve --allow-host');
    expect(counts).toMatchObject({ fail: 0, inconclusive: 0 });
  });

  test('a host that refuses everything without an envelope', async () => {
    const body = '{"message":"host not allowed"}';
    const { exitCode, unreachable } = await checkThrough({
      change: () => ({ status: 403, type: 'application/json', body }),
    });
    expect(exitCode).toBe(4);
    expect(unreachable?.message).toContain(body);
  });

  test('an API that refuses the keys of its own control interface', async () => {
    const { exitCode, headline } = await checkThrough({
      change: () => ({ status: 401, type: 'application/json', body: '{}' }),
    });
    expect(exitCode).toBe(4);
    expect(headline).toContain('refuses every key of its control interface with 401');
  });

  test('a list without a page', async () => {
    const report = await checkThrough(
      {
        change: (answer, url) =>
          url.startsWith('/v1/dataset-review-requests?')
            ? { ...answer, body: answer.body.replace(/"total":(\d+)(?=[^}]*\}$)/, '"total":"$1"') }
            : answer,
      },
      '--only',
      'api.inbox,api.response.inbox',
    );
    expect(idsOf(report, 'fail')).toEqual(['api.response.inbox']);
    expect(idsOf(report, 'inconclusive')).toEqual([]);
    const open = report.checks.filter(({ verdict }) => verdict === 'could-not-run');
    expect(open.length).toBeGreaterThan(5);
    expect(new Set(open.map(({ message }) => message))).toEqual(
      new Set(['the review inbox returns no page: see api.response.inbox']),
    );
  });

  test('errors that are HTML pages', async () => {
    const report = await checkThrough(
      {
        change: (answer) =>
          answer.status < 400 ? answer : { ...answer, type: 'text/html', body: '<p>no</p>' },
      },
      '--only',
      'api.envelope,api.status-code.internal-error,api.key-required',
    );
    expect(idsOf(report, 'fail')).toEqual(['api.envelope.inbox']);
    expect(idsOf(report, 'inconclusive')).toEqual([]);
    expect(report.checks.find(({ id }) => id === 'api.status-code.internal-error')).toMatchObject({
      verdict: 'could-not-run',
      message: expect.stringContaining('see api.envelope.inbox'),
    });
  });
});
