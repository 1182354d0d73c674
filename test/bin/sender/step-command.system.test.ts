import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '@hookproof/conformance';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { compiledProgram } from '../../compiled-program.ts';
import { refusingPort } from '../../refusing-port.ts';
import { emptyFolder, hookproofProcess, startServer } from '../hookproof.ts';
import type { Serving } from '../hookproof.ts';

const COMMAND = `'${process.execPath}' '${compiledProgram(new URL('programs/step-command.ts', import.meta.url))}'`;

let server: Serving;
beforeAll(async () => {
  server = await startServer([], { cwd: tmpdir() });
});
afterAll(() => server.stop());

/** Checks the sender without a control interface of its own: the command uses it in its own name. */
async function check(
  given: readonly string[],
  env: Record<string, string> = {},
): Promise<{ readonly report: Report; readonly code: number | null }> {
  const { stdout, code } = await hookproofProcess(args('--json', ...given), environment(env));
  return { report: JSON.parse(stdout), code };
}

function args(...given: readonly string[]): string[] {
  const api = ['--base-url', server.baseUrl, '--app-url', server.appUrl];
  return ['check', ...api, '--sender', '--allow-writes', '--only', 'sender', ...given];
}

function environment(env: Record<string, string> = {}): { readonly env: Record<string, string> } {
  const { keys, controlUrl, controlToken } = server;
  const known = { HOOKPROOF_KEY: keys.wildcard, CONTROL_URL: controlUrl };
  return { env: { ...known, CONTROL_TOKEN: controlToken, ...env } };
}

async function endpoints(): Promise<{ readonly data: readonly { readonly id: string }[] }> {
  const response = await control('GET', '/webhook-endpoints');
  return JSON.parse(await response.text());
}

async function deleteEndpoints(): Promise<void> {
  for (const { id } of (await endpoints()).data)
    await control('DELETE', `/webhook-endpoints/${id}`);
}

function control(method: string, path: string): Promise<Response> {
  const headers = { authorization: `Bearer ${server.controlToken}` };
  return fetch(`${server.controlUrl}${path}`, { method, headers });
}

function verdicts({ checks }: Report): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { verdict } of checks) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

describe('hookproof check --step-command', () => {
  test('judges a sender by the deliveries of a few steps', async () => {
    const { report } = await check(['--step-command', COMMAND, '--retry-window', '5'], {
      WITHOUT_IDS: '1',
    });
    const open = report.checks.filter(({ verdict }) => verdict === 'inconclusive');
    expect(open.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
    expect(Object.keys(verdicts(report)).toSorted()).toEqual(['could-not-run', 'pass']);
    expect(verdicts(report)['pass']).toBeGreaterThan(0);
    expect(await endpoints()).toEqual({ data: [] });
  });

  test('does not take an ordinary run for one of another origin', async () => {
    const { report } = await check(['--step-command', COMMAND, '--retry-window', '5'], {
      IGNORES_ORIGIN: '1',
    });
    const silent = report.checks.filter(({ id }) => id.startsWith('sender.silent.'));
    expect(silent.map(({ verdict }) => verdict)).toEqual(silent.map(() => 'could-not-run'));
    expect(silent[0]?.message).toContain('print {"origin": "invoke-workflow"}, or exit with 69');
    expect(report.checks.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  });

  // A clock that stands still: the first retry never comes.
  test('accuses no sender whose first retry comes after the retry window', async () => {
    const late = await startServer(['--clock', 'virtual'], { cwd: tmpdir() });
    onTestFinished(async () => void (await late.stop()));
    const { report, code } = await check(['--step-command', COMMAND, '--retry-window', '2'], {
      CONTROL_URL: late.controlUrl,
      CONTROL_TOKEN: late.controlToken,
    });
    expect(verdicts(report)['fail']).toBeUndefined();
    const open = report.checks.filter(({ verdict }) => verdict === 'inconclusive');
    expect(open.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['sender.retry.on-5xx', 'sender.test-event.retried']),
    );
    const found = open.find(({ id }) => id === 'sender.retry.on-5xx');
    expect(found?.message).toMatch(/no event was retried within the retry window/);
    expect(found?.remedies).toMatchObject([{ need: 'retryWindow' }]);
    expect(code).toBe(3);
  });

  test('reports an endpoint that the command does not delete', async () => {
    const command = `test "$HOOKPROOF_STEP" != delete-endpoint || { echo still here >&2; exit 3; }; ${COMMAND}`;
    const { report } = await check(['--step-command', command, '--retry-window', '1']);
    expect(report.leftBehind).toEqual([
      expect.stringMatching(/^the webhook endpoint whep_\w+: delete-endpoint: exit 3: still here$/),
      expect.stringMatching(
        /^The journal .+ keeps 1 change\. Undo: npx hookproof check .* --clean-up\./,
      ),
    ]);
    await deleteEndpoints();
  });

  test('an interruption ends a step that hangs, and deletes the endpoint', async () => {
    const hanging = `test "$HOOKPROOF_STEP" != create-run || { kill -INT $PPID; sleep 600; }; ${COMMAND}`;
    const { report, code } = await check(['--step-command', hanging]);
    expect({ code, outcome: report.outcome, leftBehind: report.leftBehind }).toEqual({
      code: 130,
      outcome: 'interrupted',
      leftBehind: [],
    });
    expect(await endpoints()).toEqual({ data: [] });
  });

  test('deletes the endpoint of a killed run with --clean-up', async () => {
    const place = environment({ HOOKPROOF_JOURNAL: join(emptyFolder(), 'journal') });
    const killing = `test "$HOOKPROOF_STEP" != create-run || kill -9 $PPID; ${COMMAND}`;
    const killed = await hookproofProcess(args('--step-command', killing), place);
    expect(killed.code).toBe(null);
    expect(await endpoints()).toMatchObject({ data: [{}] });

    const without = await hookproofProcess(args('--step-command', 'exit 69', '--clean-up'), place);
    expect(without.stdout).toMatch(
      /^Undone: 0 of 1 changes of killed runs\.\nNot undone: the webhook endpoint whep_\w+: delete-endpoint: the command cannot do this step\n$/,
    );
    expect(without.code).toBe(3);
    const cleaned = await hookproofProcess(args('--step-command', COMMAND, '--clean-up'), place);
    expect(cleaned).toMatchObject({ code: 0, stdout: 'Undone: 1 of 1 changes of killed runs.\n' });
    expect(await endpoints()).toEqual({ data: [] });
  });

  test.each([
    [
      'echo no page >&2; exit 69',
      '--step-command: the first step, create-endpoint, is impossible: no page',
    ],
    [
      './no-such-command',
      expect.stringMatching(
        /^--step-command: the first step, create-endpoint, failed: exit 127: .*not found$/,
      ),
    ],
    [
      'echo broken >&2; exit 7',
      '--step-command: the first step, create-endpoint, failed: exit 7: broken',
    ],
    [
      'echo no JSON',
      '--step-command: the first step, create-endpoint, failed: the command must print a JSON object as its last line, got no JSON',
    ],
    [
      `echo '{"secret": 7}'`,
      '--step-command: the first step, create-endpoint, failed: the command must print secret as a string, got 7',
    ],
  ])('ends with one finding when the first step is %s', async (trigger, message) => {
    const { report, code } = await check(['--step-command', trigger]);
    expect(report.unreachable).toEqual({ url: '--step-command', message });
    expect(report.headline).toBe('unreachable: --step-command creates no endpoint');
    expect(verdicts(report)).toEqual({ 'could-not-run': report.checks.length });
    expect(code).toBe(4);
  });

  test.each([
    ['exits 1', 'echo one >&2; echo broken >&2; exit 1', 'failed: exit 1: broken'],
    ['is impossible', 'echo not here >&2; exit 69', 'is impossible: not here'],
  ])('names the steps that caused no delivery when each after the first %s', async (...row) => {
    const [, performing, end] = row;
    const command = `if [ "$HOOKPROOF_STEP" = create-endpoint ]; then echo '{"secret":"whsec_of_a_dashboard"}'; else ${performing}; fi`;
    const { report, code } = await check(['--step-command', command, '--retry-window', '1']);
    expect(report.headline).toBe('unreachable: --step-command causes no delivery');
    expect(report.unreachable?.message).toBe(
      `--step-command: no delivery arrived, because the step send-test ${end}; create-run ${end}`,
    );
    expect(code).toBe(4);
  });

  test('names the step where runs cannot be created and test events arrive', async () => {
    const command = `test "$HOOKPROOF_STEP" != create-run || { echo no runs here >&2; exit 5; }; ${COMMAND}`;
    const { report } = await check(['--step-command', command, '--retry-window', '1']);
    const found = report.checks.find(({ id }) => id === 'sender.run-created.sent');
    expect(found?.message).toBe('Cannot judge: create-run: exit 5: no runs here.');
  });

  test('performs no step when the public URL is an address here that leads elsewhere', async () => {
    const publicUrl = `http://127.0.0.1:${await refusingPort()}/tunnel`;
    const { stdout, stderr, code } = await hookproofProcess(
      args('--step-command', 'echo "$HOOKPROOF_STEP" >&2', '--public-url', publicUrl),
      environment(),
    );
    expect(stdout).toMatch(
      /^@hookproof\/conformance \S+ {2}API http:\S+, sender through --step-command\n/,
    );
    expect(stdout).toMatch(
      /no delivery can reach the suite at http:\/\/127\.0\.0\.1:\d+\/tunnel: no response from .*ECONNREFUSED/,
    );
    expect(stderr).toBe('');
    expect(code).toBe(4);
  });

  test('lets the first delivery decide about a public URL elsewhere', async () => {
    const { stdout, stderr, code } = await hookproofProcess(
      args(
        '--step-command',
        `case "$HOOKPROOF_STEP" in create-endpoint) echo '{"secret":"whsec_of_a_dashboard"}';; esac`,
        '--retry-window',
        '1',
        '--public-url',
        'http://tunnel.invalid/',
      ),
      environment(),
    );
    expect(stdout).toMatch(/no delivery reached the suite at http:\/\/tunnel\.invalid\/?: /);
    const [first, second] = stderr.split('\n');
    expect(first).toMatch(/^The suite cannot reach http:\/\/tunnel\.invalid\S* itself: /);
    expect(second).toMatch(/^Waiting up to 1 s for deliveries at /);
    expect(code).toBe(4);
  });
});
