import { tmpdir } from 'node:os';

import type { Report } from '@hookproof/conformance';
import type { Between, HeaderPair } from '@hookproof/conformance/hooks';
import { startProxy } from '@hookproof/conformance/proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { hookproof, optionsOf, startServer } from './hookproof.ts';
import type { Serving } from './hookproof.ts';

let server: Serving;
beforeAll(async () => {
  server = await startServer([], { cwd: tmpdir() });
});
afterAll(() => server.stop());

const UNLOCKED = ['--allow-writes', '--allow-deletes', '--json'];

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

function isType([name]: HeaderPair): boolean {
  return name === 'content-type';
}

/** A proxy that changes the responses. */
function changing(change: (answer: Answer, path: string) => Answer): Between {
  return async (request, next) => {
    const { status, headers, bytes } = await next(request);
    const [, type = ''] = headers.find(isType) ?? [];
    const before = { status, type, body: Buffer.from(bytes).toString() };
    const after = change(before, request.url.slice(server.baseUrl.length));
    return {
      status: after.status,
      headers: [...headers.filter((pair) => !isType(pair)), ['content-type', after.type]],
      bytes: after.body === before.body ? bytes : Buffer.from(after.body),
    };
  };
}

/** Checks the server through a proxy, with its own control interface. */
async function checkThrough(api: Between, ...options: readonly string[]): Promise<Report> {
  const proxy = await startProxy({ api }, { target: server.baseUrl });
  const target = optionsOf({ ...server, baseUrl: proxy.url, appUrl: proxy.url });
  const { stdout } = await hookproof(['check', ...target, ...UNLOCKED, ...options]);
  await proxy.close();
  return JSON.parse(stdout);
}

function idsOf({ checks }: Report, verdict: Report['checks'][number]['verdict']): string[] {
  return checks.filter((check) => check.verdict === verdict).map(({ id }) => id);
}

describe('one cause is one finding', () => {
  test('a host that refuses everything, with its own words', async () => {
    const { exitCode, unreachable, counts } = await checkThrough((request, next) =>
      next({ ...request, headers: [...request.headers, ['host', 'other.example']] }),
    );
    expect(exitCode).toBe(4);
    expect(unreachable?.message).toContain('expected this API, got 421 twice');
    expect(unreachable?.message).toContain('serve --allow-host');
    expect(counts).toMatchObject({ fail: 0, inconclusive: 0 });
  });

  test('a host that refuses everything without an envelope', async () => {
    const body = '{"message":"host not allowed"}';
    const { exitCode, unreachable } = await checkThrough(
      changing(() => ({ status: 403, type: 'application/json', body })),
    );
    expect(exitCode).toBe(4);
    expect(unreachable?.message).toContain(body);
  });

  test('an API that refuses the keys of its own control interface', async () => {
    const { exitCode, headline } = await checkThrough(
      changing(() => ({ status: 401, type: 'application/json', body: '{}' })),
    );
    expect(exitCode).toBe(4);
    expect(headline).toContain('refuses every key of its control interface with 401');
  });

  test('a list without a page', async () => {
    const report = await checkThrough(
      changing((answer, path) =>
        path.startsWith('/v1/dataset-review-requests?')
          ? { ...answer, body: answer.body.replace(/"total":(\d+)(?=[^}]*\}$)/, '"total":"$1"') }
          : answer,
      ),
      '--only',
      'api.inbox,api.response.inbox',
    );
    expect(idsOf(report, 'fail')).toEqual(['api.response.inbox']);
    expect(idsOf(report, 'inconclusive')).toEqual([]);
    const open = report.checks.filter(({ verdict }) => verdict === 'could-not-run');
    expect(open.length).toBeGreaterThan(5);
    expect(new Set(open.map(({ message }) => message))).toEqual(
      new Set(['the review inbox returns no page whose entries have ids: see api.response.inbox']),
    );
  });

  test('errors that are HTML pages', async () => {
    const report = await checkThrough(
      changing((answer) =>
        answer.status < 400 ? answer : { ...answer, type: 'text/html', body: '<p>no</p>' },
      ),
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
