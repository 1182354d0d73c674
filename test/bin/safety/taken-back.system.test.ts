import { once, EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProxy } from '@hookproof/conformance/proof';
import type { Report } from '@hookproof/conformance';
import { expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { hookproof, serve } from '../hookproof.ts';
import { start } from './deployment.ts';

type Members = Readonly<Record<string, string>>;

interface Deployment {
  readonly url: string;
  readonly key: string;
  readonly fixtures: Members;
  /** What a run moves and renames. */
  state(): Promise<unknown>;
}

/** A tenant of the reference server, without its control interface. */
async function deploy(): Promise<Deployment> {
  const { baseUrl: url, controlUrl, controlToken } = await serve();
  const world = await fetch(`${controlUrl}/worlds`, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const { keys, fixtures }: { keys: Members; fixtures: Members } = Object(await world.json());
  const key = keys['wildcard'] ?? '';
  const get = (path: string): Promise<Response> =>
    fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  const state = async (): Promise<unknown> => {
    const { folderPath } = Object(
      await (await get(`/v1/automations/${fixtures['workflowId']}`)).json(),
    );
    const exported = await get(`/v1/automations/${fixtures['datasetAutomationId']}/dataset/export`);
    const archive = Buffer.from(await exported.arrayBuffer()).toString('latin1');
    const file = `examples/${fixtures['exampleName']}/expected/${fixtures['expectedFilePath']}`;
    return { folderPath, hasFile: archive.includes(file) };
  };
  const { folderPath }: { folderPath?: string } = Object(await state());
  const granted = {
    workflowFolderPath: folderPath ?? '/',
    fillableRunId: fixtures['runId'] ?? '',
    deletableInputPath: fixtures['inputFilePath'] ?? '',
    clearableRunId: fixtures['reviewedRunId'] ?? '',
  };
  return { url, key, fixtures: { ...fixtures, ...granted }, state };
}

function argsFor({ fixtures }: Deployment, url: string, only: string): readonly string[] {
  const file = join(emptyFolder(), 'fixtures.json');
  writeFileSync(file, JSON.stringify(fixtures));
  const target = ['--base-url', url, '--app-url', url, '--fixtures', file];
  return ['check', ...target, '--allow-writes', '--allow-deletes', '--only', only];
}

test('the fixtures say what may change where there is no control interface', async () => {
  const deployment = await deploy();
  const before = await deployment.state();
  const only =
    'api.operation,api.automation-move,api.expected-rename,api.input-delete,api.run-review.clear,api.feedback-copy';
  const { stdout } = await hookproof([...argsFor(deployment, deployment.url, only), '--json'], {
    env: { HOOKPROOF_KEY: deployment.key },
  });
  const { checks, headline, leftBehind }: Report = JSON.parse(stdout);
  const verdictsOf = (id: string): readonly string[] =>
    checks.filter((check) => check.id.startsWith(id)).map(({ verdict }) => verdict);
  expect(headline).not.toContain('not judged');
  expect(new Set(verdictsOf('api.operation.'))).toEqual(new Set(['pass']));
  expect(
    checks
      .filter(({ verdict }) => !['pass', 'could-not-run'].includes(verdict))
      .map(({ id }) => id),
  ).toEqual([]);
  expect(leftBehind).toEqual([]);
  expect(await deployment.state()).toEqual(before);
});

test.each([
  ['a move', /^\/v1\/automations\/[^/]+$/, 'api.automation-move.folder-id'],
  ['a rename', /\/expected\//, 'api.expected-rename.renames'],
] as const)('SIGKILL after %s leaves a journal that takes it back', async (_name, path, only) => {
  const deployment = await deploy();
  const before = await deployment.state();
  const signals = new EventEmitter();
  const reached = once(signals, 'reached');
  let isOver = false;
  const proxy = await startProxy(
    {
      api: async (request, next) => {
        const response = await next(request);
        const isWanted = request.method === 'PATCH' && path.test(new URL(request.url).pathname);
        if (isOver || !isWanted || response.status !== 200) return response;
        if (JSON.stringify(await deployment.state()) === JSON.stringify(before)) return response;
        isOver = true;
        signals.emit('reached');
        return new Promise(() => {});
      },
    },
    { target: deployment.url },
  );
  onTestFinished(() => proxy.close());
  const env = { HOOKPROOF_JOURNAL: join(emptyFolder(), 'journal'), HOOKPROOF_KEY: deployment.key };
  const args = argsFor(deployment, proxy.url, only);
  const run = start(args, env);
  await reached;
  run.signal('SIGKILL');
  await run.finished;
  expect(await deployment.state()).not.toEqual(before);
  const cleaned = await hookproof([...args, '--clean-up'], { env });
  expect(cleaned.stdout).toMatch(/^Undone: (\d+) of \1 changes? of killed runs\.\n$/);
  expect(await deployment.state()).toEqual(before);
});
