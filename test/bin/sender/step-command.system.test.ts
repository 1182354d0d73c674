import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Report } from '@hookproof/conformance';
import type { World } from '@hookproof/server-reference';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { listeningPort } from '../../listening-port.ts';
import { refusingPort } from '../../refusing-port.ts';
import { controlClient } from '../../server-reference/lab/control/control-client.ts';
import { testWith } from '../../services/local-server.ts';
import { hookproof, hookproofProcess, startServer } from '../hookproof.ts';
import type { Serving } from '../hookproof.ts';

const test = testWith('curl');

let server: Serving;
beforeAll(async () => {
  server = await startServer([], { cwd: tmpdir() });
});
afterAll(() => server.stop());

/** Checks the sender without a control interface of its own: the command uses it in its own name. */
async function check(
  given: readonly string[],
  only = 'sender',
): Promise<{ readonly report: Report; readonly code: number | null }> {
  const all = args(['--json', ...given], only);
  const { stdout, code } = await hookproof(all, environment());
  return { report: JSON.parse(stdout), code };
}

function args(given: readonly string[], only = 'sender'): string[] {
  const api = ['--base-url', server.baseUrl, '--app-url', server.appUrl];
  return ['check', ...api, '--sender', '--allow-writes', '--only', only, ...given];
}

function environment(env: Record<string, string> = {}): { readonly env: Record<string, string> } {
  return { env: { HOOKPROOF_KEY: server.keys.wildcard, ...env } };
}

type Deployment = Pick<Serving, 'controlUrl' | 'controlToken'>;

interface Ids {
  readonly data: readonly { readonly id: string }[];
}

const endpoints = (): Promise<Ids> => controlClient(server).expectOk(200, '/webhook-endpoints');

/** What the command of a deployment does not say. */
interface Silent {
  /** It reports no ids of runs that send events. */
  readonly withoutIds?: boolean;
  /** Every run that it creates is an ordinary one. */
  readonly ignoresOrigin?: boolean;
}

/** Performs one step through the deployment's own interface. Returns what the command prints; null where it is impossible. */
async function perform(
  deployment: Deployment,
  step: Partial<Record<string, string>>,
  { withoutIds = false, ignoresOrigin = false }: Silent,
): Promise<object | null> {
  const control = controlClient(deployment);
  const endpointId = step['ENDPOINT_ID'] ?? '';
  switch (step['STEP'] ?? '') {
    case 'create-endpoint': {
      const headers: unknown = JSON.parse(step['HEADERS'] ?? '{}');
      const made = await control.endpoint(step['URL'] ?? '', { headers });
      return { endpointId: made.id, secret: made.secret, headers: true };
    }
    case 'create-run': {
      const { fixtures } = await control.expectOk<World>(200, '/world');
      const origin = ignoresOrigin ? 'top-level' : step['RUN_ORIGIN'];
      const automationId = step['RUN_TYPE'] === 'agent' ? fixtures.agentId : fixtures.workflowId;
      const { id: runId } = await control.run({ automationId, origin });
      if (withoutIds && origin === 'top-level') return {};
      return { runId, ...(ignoresOrigin ? {} : { origin }) };
    }
    case 'move-run': {
      const json = { status: step['STATUS'] };
      const moved = await control.call(`/runs/${step['RUN_ID']}/moves`, { json });
      if (moved.status === 409) return null;
      expect(moved.status).toBe(200);
      return {};
    }
    case 'send-test':
      return control.expectOk(202, `/webhook-endpoints/${endpointId}/test`, {});
    case 'redeliver': {
      const query = new URLSearchParams({ endpointId, eventId: step['EVENT_ID'] ?? '' });
      const [delivery] = await control.deliveries(`?${query.toString()}`);
      await control.expectOk(202, `/deliveries/${delivery?.id}/redeliver`, {});
      return {};
    }
    default:
      await control.call(`/webhook-endpoints/${endpointId}`, { method: 'DELETE' });
      return {};
  }
}

/**
 * A command that asks this process to perform each step. A recording has about sixty, and a process of Node.js for each
 * would take most of the time.
 */
async function stepCommand(deployment: Deployment = server, silent: Silent = {}): Promise<string> {
  const performer = createServer((request, response) => {
    const performed = text(request).then(async (lines) => {
      const named = lines.matchAll(/^HOOKPROOF_(\w+)=(.*)$/gm);
      const step = Object.fromEntries([...named].map(([, name, value]) => [name, value]));
      const printed = await perform(deployment, step, silent);
      return printed === null ? 'exit 69' : `echo '${JSON.stringify(printed)}'`;
    });
    void performed.catch(() => 'exit 1').then((script) => response.end(script));
  });
  const asked = `env | curl -sSf --data-binary @- http://127.0.0.1:${await listeningPort(performer)}`;
  return `eval "$(${asked} || echo exit 1)"`;
}

function verdicts({ checks }: Report): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { verdict } of checks) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

describe('hookproof check --step-command', () => {
  test('judges a sender by the deliveries of a few steps', async () => {
    const command = await stepCommand(server, { withoutIds: true });
    const { report } = await check(['--step-command', command, '--retry-window', '5']);
    const open = report.checks.filter(({ verdict }) => verdict === 'inconclusive');
    expect(open.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
    expect(Object.keys(verdicts(report)).toSorted()).toEqual(['could-not-run', 'pass']);
    expect(verdicts(report)['pass']).toBeGreaterThan(0);
    expect(await endpoints()).toEqual({ data: [] });
  });

  test('does not take an ordinary run for one of another origin', async () => {
    const command = await stepCommand(server, { ignoresOrigin: true });
    const { report } = await check(['--step-command', command], 'sender.silent');
    expect(report.checks.map(({ verdict }) => verdict)).toEqual(['could-not-run', 'could-not-run']);
    expect(report.checks[0]?.message).toContain(
      'print {"origin": "invoke-workflow"}, or exit with 69',
    );
  });

  // A clock that stands still: the first retry never comes.
  test('accuses no sender whose first retry comes after the retry window', async () => {
    const late = await startServer(['--clock', 'virtual'], { cwd: tmpdir() });
    onTestFinished(async () => void (await late.stop()));
    const command = await stepCommand(late);
    const { report, code } = await check(['--step-command', command, '--retry-window', '2']);
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

  test('names the steps that failed where test events arrive, and the endpoint that it does not delete', async () => {
    const command = `case "$HOOKPROOF_STEP" in create-run) echo no runs here >&2; exit 5;; delete-endpoint) echo still here >&2; exit 3;; esac; ${await stepCommand()}`;
    const { report } = await check(['--step-command', command, '--retry-window', '1']);
    const found = report.checks.find(({ id }) => id === 'sender.run-created.sent');
    expect(found?.message).toBe('Cannot judge: create-run: exit 5: no runs here.');
    expect(report.leftBehind).toEqual([
      expect.stringMatching(/^the webhook endpoint whep_\w+: delete-endpoint: exit 3: still here$/),
      expect.stringMatching(
        /^The journal .+ keeps 1 change\. Undo: npx hookproof check .* --clean-up\./,
      ),
    ]);
    for (const { id } of (await endpoints()).data) {
      await controlClient(server).call(`/webhook-endpoints/${id}`, { method: 'DELETE' });
    }
  });

  test('an interruption ends a step that hangs, and deletes the endpoint', async () => {
    const hanging = `test "$HOOKPROOF_STEP" != create-run || { kill -INT $PPID; sleep 600; }; ${await stepCommand()}`;
    const interrupted = args(['--json', '--step-command', hanging]);
    const { stdout, code } = await hookproofProcess(interrupted, environment());
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'interrupted', leftBehind: [] });
    expect(await endpoints()).toEqual({ data: [] });
  });

  test('deletes the endpoint of a killed run with --clean-up', async () => {
    const place = environment({ HOOKPROOF_JOURNAL: join(emptyFolder(), 'journal') });
    const killing = `test "$HOOKPROOF_STEP" != create-run || kill -9 $PPID; ${await stepCommand()}`;
    const killed = await hookproofProcess(args(['--step-command', killing]), place);
    expect(killed.code).toBe(null);
    expect(await endpoints()).toMatchObject({ data: [{}] });

    const without = await hookproof(args(['--step-command', 'exit 69', '--clean-up']), place);
    expect(without.stdout).toMatch(
      /^Undone: 0 of 1 changes of killed runs\.\nNot undone: the webhook endpoint whep_\w+: delete-endpoint: the command cannot do this step\n$/,
    );
    expect(without.code).toBe(3);
    const cleaned = await hookproof(
      args(['--step-command', await stepCommand(), '--clean-up']),
      place,
    );
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

  test('performs no step when the public URL is an address here that leads elsewhere', async () => {
    const publicUrl = `http://127.0.0.1:${await refusingPort()}/tunnel`;
    const { stdout, stderr, code } = await hookproof(
      args(['--step-command', 'echo "$HOOKPROOF_STEP" >&2', '--public-url', publicUrl]),
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
    const { stdout, stderr, code } = await hookproof(
      args([
        '--step-command',
        `case "$HOOKPROOF_STEP" in create-endpoint) echo '{"secret":"whsec_of_a_dashboard"}';; esac`,
        '--retry-window',
        '1',
        '--public-url',
        'http://tunnel.invalid/',
      ]),
      environment(),
    );
    expect(stdout).toMatch(/no delivery reached the suite at http:\/\/tunnel\.invalid\/?: /);
    const [first, second] = stderr.split('\n');
    expect(first).toMatch(/^The suite cannot reach http:\/\/tunnel\.invalid\S* itself: /);
    expect(second).toMatch(/^Waiting up to 1 s for deliveries at /);
    expect(code).toBe(4);
  });
});
