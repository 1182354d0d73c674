import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderTerminal } from '@hookproof/conformance';
import type { Report } from '@hookproof/conformance';
import { describe, expect, test } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { hookproofProcess, serve } from '../hookproof.ts';
import type { Finished, Serving } from '../hookproof.ts';
import { start } from './deployment.ts';
import type { RunningCommand } from './deployment.ts';
import { lagBehind } from './lagging-api.ts';
import type { Lag, LaggingApi } from './lagging-api.ts';

const LAGS: Readonly<Record<string, Lag>> = {
  '0.3 s': { milliseconds: 300 },
  // It shows the originals throughout.
  'for ever': { milliseconds: Infinity },
  // It shows values of the suite at the end. The first two updates measure the lag.
  'for ever from the fourth update on': { milliseconds: Infinity, from: 4 },
};

/** Accepted updates, and refused ones. */
const CHECKS = ['title', 'partial', 'wrong-type'].map((name) => `api.review-update.${name}`);

interface Deployment {
  readonly api: LaggingApi;
  readonly server: Serving;
  readonly before: Awaited<ReturnType<LaggingApi['fields']>>;
  /** That of `openReviewId`. */
  readonly opened: Deployment['before'][number] | undefined;
  /** The folder of the journals. */
  readonly journal: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

async function deploy(lag: Lag, only = CHECKS): Promise<Deployment> {
  const server = await serve();
  const api = await lagBehind(server, lag);
  const before = await api.fields();
  const opened = before.find(
    ({ status, instructions }) => status === 'open' && instructions !== null,
  );
  const folder = emptyFolder();
  const fixtures = join(folder, 'fixtures.json');
  writeFileSync(fixtures, JSON.stringify({ openReviewId: opened?.['id'] }));
  const journal = join(folder, 'journal');
  mkdirSync(journal);
  const target = ['--base-url', api.url, '--fixtures', fixtures];
  return {
    api,
    server,
    before,
    opened,
    journal,
    args: ['check', ...target, '--only', only.join(',')],
    env: { HOOKPROOF_KEY: server.keys.wildcard, HOOKPROOF_JOURNAL: journal },
  };
}

async function setAtServer({ server, opened }: Deployment, change: object): Promise<void> {
  const [automation, review] = [opened?.['automationId'], opened?.['id']].map(String);
  const path = `/v1/automations/${automation}/dataset-review-requests/${review}`;
  await fetch(`${server.baseUrl}${path}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${server.keys.wildcard}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(change),
  });
}

function check({ args, env }: Deployment, ...more: string[]): Promise<Finished> {
  return hookproofProcess([...args, ...more], { env });
}

/** A run that has lost the response to the fourth update that changes something. */
async function runToTheMiddle({ api, args, env }: Deployment): Promise<RunningCommand> {
  const run = start([...args, '--allow-writes', '--json'], env);
  await Promise.race([
    api.reached,
    run.finished.then(({ stdout }) => Promise.reject(new Error(stdout))),
  ]);
  return run;
}

/** The lags at the same time, each with a server of its own: nearly all of their time is waiting. */
function withEachLag(ofEach: (lag: Lag, name: string) => Promise<void>): () => Promise<void> {
  return async () => {
    await Promise.all(Object.entries(LAGS).map(([name, lag]) => ofEach(lag, name)));
  };
}

describe('an inbox that lags behind', () => {
  test(
    'has every field as before after a run',
    withEachLag(async (lag, name) => {
      const deployment = await deploy(lag);
      const { api, before, journal } = deployment;
      const { stdout } = await check(deployment, '--allow-writes', '--json');
      expect(await api.fields(), name).toEqual(before);
      const { leftBehind, notPutBack, wire }: Report = JSON.parse(stdout);
      expect(wire.writes).toBeGreaterThan(CHECKS.length);
      const [file = ''] = readdirSync(journal);
      expect({ leftBehind, notPutBack }, name).toEqual(
        isOpenAfter(lag)
          ? {
              leftBehind: [
                expect.stringMatching(/^review request \S+: \w+ was .* in the list, though/),
                expect.stringContaining(`The journal ${join(journal, file)} keeps 1 change.`),
              ],
              notPutBack: 1,
            }
          : { leftBehind: [], notPutBack: 0 },
      );
    }),
  );

  test(
    'has every field as before after SIGINT in the middle',
    withEachLag(async (lag, name) => {
      const deployment = await deploy({ ...lag, lost: 4 });
      const { api, before, journal } = deployment;
      const run = await runToTheMiddle(deployment);
      run.signal('SIGINT');
      const { code, stdout } = await run.finished;
      expect(code, name).toBe(130);
      expect(await api.fields(), name).toEqual(before);
      const report: Report = JSON.parse(stdout);
      expect(report.notPutBack, name).toBe(isOpenAfter(lag) ? 1 : 0);
      expect(readdirSync(journal)).toHaveLength(report.notPutBack);
    }),
  );

  test(
    'has every field as before after SIGKILL and the next run',
    withEachLag(async (lag, name) => {
      const deployment = await deploy({ ...lag, lost: 4 });
      const { api, before, journal, server, env, args } = deployment;
      const isOpen = isOpenAfter(lag);
      const run = await runToTheMiddle(deployment);
      run.signal('SIGKILL');
      await run.finished;
      const killed = await api.fields();
      expect(killed, name).not.toEqual(before);

      const found = 'A run against this target was killed and did not undo its changes: review';
      // What a run says that may not undo them does not depend on the lag.
      if (lag.milliseconds !== Infinity) {
        const line = `Undo them: npx hookproof ${args.slice(0, 3).join(' ')}`;
        const reading = await check(deployment);
        expect(reading.stderr).toContain(found);
        expect(reading.stderr).toContain(line);
        const foreign = { ...deployment, env: { ...env, HOOKPROOF_KEY: server.keys.otherTenant } };
        const { stderr } = await check(foreign, '--allow-writes');
        expect(stderr).toContain(line);
        expect(await api.fields(), name).toEqual(killed);
      }

      const next = await check(deployment, '--allow-writes', '--json');
      expect(next.stderr.split('\n').slice(0, 2), name).toEqual([
        expect.stringContaining(found),
        `Undone before this run begins: ${isOpen ? '0 of 1' : '1 of 1'}.`,
      ]);
      expect(await api.fields(), name).toEqual(before);
      const [file = '', ...others] = readdirSync(journal);
      expect(others).toEqual([]);
      expect(file !== '', name).toBe(isOpen);
      expect(next.stderr.includes('This run only reads')).toBe(isOpen);
      if (!isOpen) return;
      rmSync(join(journal, file));
      const cleaned = await check(deployment, '--clean-up');
      expect(cleaned).toMatchObject({ code: 0, stdout: 'Nothing to undo.\n' });
    }),
  );
});

/** Whether the inbox never shows what is written back. */
function isOpenAfter({ from }: Lag): boolean {
  return from !== undefined;
}

test('what somebody else sets during a run is left and named', async () => {
  const others = { instructions: 'Set by somebody else' };
  const lag: Lag = {
    milliseconds: 0,
    // The first two updates measure the lag. Before each partial update, one sets instructions: the ninth is the last.
    async afterUpdate(update) {
      if (update === 9) await setAtServer(deployment, others);
    },
  };
  const deployment = await deploy(lag, ['api.review-update.partial']);
  const { api, before, opened } = deployment;
  const { stdout } = await check(deployment, '--allow-writes', '--json');
  const changed = before.map((entry) =>
    entry === opened ? Object.assign({}, entry, others) : entry,
  );
  expect(await api.fields()).toEqual(changed);
  const { leftBehind, notPutBack }: Report = JSON.parse(stdout);
  expect({ leftBehind, notPutBack }).toEqual({
    leftBehind: [
      `review request ${String(opened?.['id'])}: instructions was ${JSON.stringify(opened?.['instructions'])} and is "Set by somebody else", which this run did not write`,
    ],
    notPutBack: 0,
  });
});

/** Of the response, of the inbox after it, of the inbox after a refusal, and of one that another check prepares. */
const JUDGED = [
  ...['title', 'partial', 'wrong-type', 'editable-open'].map((name) => `api.review-update.${name}`),
  'api.key-required.review-update',
];

async function judge(lag: Lag): Promise<Report> {
  const { stdout } = await check(await deploy(lag, JUDGED), '--allow-writes', '--json');
  return JSON.parse(stdout);
}

function verdictsIn({ checks }: Report): Readonly<Record<string, string>> {
  return Object.fromEntries(checks.map(({ id, verdict }) => [id, verdict]));
}

test('an inbox that lags has the verdicts of one that does not', async () => {
  const passes = Object.fromEntries(JUDGED.map((id) => [id, 'pass']));
  await Promise.all(
    [0, 300].map(async (milliseconds) => {
      const report = await judge({ milliseconds });
      expect(verdictsIn(report), `${milliseconds} ms`).toEqual(passes);
      if (milliseconds === 0) {
        expect(report.target.effectMilliseconds).toBe(0);
        return;
      }
      expect(report.target.effectMilliseconds).toBeGreaterThan(milliseconds / 2);
      expect(renderTerminal(report)).toContain('reads show a write after up to');
    }),
  );
});

test('a refused update that has its effect later is found', async () => {
  const report = await judge({ milliseconds: 300, appliesRefused: true });
  const failed = report.checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect(failed).toEqual(['api.key-required.review-update']);
});
