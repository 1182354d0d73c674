import { tmpdir } from 'node:os';
import type { Report } from '@hookproof/conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { compiledProgram } from '../../compiled-program.ts';
import { hookproof, startServer, SUITE_RUN } from '../hookproof.ts';
import type { Serving } from '../hookproof.ts';

const TRIGGER = `'${process.execPath}' '${compiledProgram(new URL('programs/trigger.ts', import.meta.url))}'`;

let server: Serving;
beforeAll(async () => {
  server = await startServer([], { cwd: tmpdir() });
});
afterAll(() => server.stop('SIGKILL'));

/** Checks the sender without a control interface of its own: the command uses it in its own name. */
async function check(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ readonly report: Report; readonly code: number | null }> {
  const api = ['--base-url', server.baseUrl, '--app-url', server.appUrl];
  const { stdout, code } = await hookproof(
    ['check', ...api, '--sender', '--allow-writes', '--only', 'sender', '--json', ...args],
    {
      env: {
        HOOKPROOF_KEY: server.keys.wildcard,
        CONTROL_URL: server.controlUrl,
        CONTROL_TOKEN: server.controlToken,
        ...env,
      },
    },
  );
  return { report: JSON.parse(stdout), code };
}

async function endpoints(): Promise<unknown> {
  const response = await fetch(`${server.controlUrl}/webhook-endpoints`, {
    headers: { authorization: `Bearer ${server.controlToken}` },
  });
  return response.json();
}

function verdicts({ checks }: Report): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { verdict } of checks) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

describe('hookproof check --trigger', () => {
  test('judges a sender by the deliveries of a few steps', SUITE_RUN, async () => {
    const { report } = await check(['--trigger', TRIGGER, '--retry-window', '5'], {
      WITHOUT_IDS: '1',
    });
    expect(Object.keys(verdicts(report)).toSorted()).toEqual(['could-not-run', 'pass']);
    expect(verdicts(report)['pass']).toBeGreaterThan(40);
    expect(await endpoints()).toEqual({ data: [] });
  });

  test('runs no check when the command cannot create an endpoint', async () => {
    const { report, code } = await check(['--trigger', 'echo no dashboard >&2; exit 69']);
    expect([
      ...new Set(report.checks.map(({ verdict, message }) => `${verdict}: ${message}`)),
    ]).toEqual(['could-not-run: create-endpoint: no dashboard']);
    expect(code).toBe(3);
  });

  test.each([
    ['echo broken >&2; exit 7', 'create-endpoint: exit 7: broken'],
    [
      'echo no JSON',
      'create-endpoint: the command must print a JSON object as its last line, got no JSON',
    ],
    [`echo '{"secret": 7}'`, 'create-endpoint: the command must print secret as a string, got 7'],
  ])('is inconclusive after %s', async (trigger, message) => {
    const { report, code } = await check(['--trigger', trigger]);
    const found = report.checks.map((each) => `${each.verdict}: ${each.message}`);
    expect([...new Set(found)]).toEqual([`inconclusive: ${message}`]);
    expect(code).toBe(3);
  });

  test('accuses no sender whose deliveries cannot reach the suite', async () => {
    const trigger = `test "$HOOKPROOF_STEP" != create-endpoint || echo '{"secret":"whsec_of_a_dashboard"}'`;
    const { report, code } = await check(['--trigger', trigger, '--retry-window', '1']);
    const [first] = report.checks;
    expect(first?.message).toMatch(
      /^no delivery reached the suite at http:\/\/127\.0\.0\.1:\d+: there is no --public-url$/,
    );
    expect(first?.remedies).toEqual([
      '--listen HOST:PORT and --public-url URL, an address that the target can reach',
    ]);
    expect(verdicts(report)).toEqual({ 'could-not-run': report.checks.length });
    expect(code).toBe(3);
  });
});
