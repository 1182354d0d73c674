import { execFile, execFileSync } from 'node:child_process';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { createServer, virtualClock } from '@hookproof/server-reference';
import { describe, expect, onTestFinished, test } from 'vitest';

import { openFolderStore } from '../../../../server-reference/src/platform/store/folder-store.ts';
import { emptyState } from '../../../../server-reference/src/platform/state/state.ts';
import { compiledProgram } from '../../../compiled-program.ts';
import { readDataFolder } from '../../data-folder.ts';
import { controlClient, START } from '../../lab/control/control-client.ts';
import { listenAt } from '../sender/endpoint-listener.ts';
import { recordingLogger } from './recording-logger.ts';
import { setTitle, titles } from './store-contract.ts';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);
const WITHOUT_DESCRIPTORS = compiledProgram(
  new URL('../../programs/without-descriptors.ts', import.meta.url),
);

/** A disk of one megabyte, or null where this user may not mount one. */
async function smallDisk(): Promise<string | null> {
  const folder = await temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
  return folder;
}

describe('a disk that is full', () => {
  test('refuses writes with 503 and takes them back; with room again, writes and deliveries continue', async (context) => {
    const path = await smallDisk();
    if (path === null) return context.skip();
    const listener = await listenAt();
    const server = await createServer({
      store: { kind: 'folder', path },
      clock: virtualClock({ now: START, stallTimeoutMilliseconds: 5_000 }),
      logger: recordingLogger(),
    });
    onTestFinished(() => server.close());
    const control = controlClient(server);
    await control.endpoint(listener.url);
    const { id: before } = await control.run();
    await writeFile(join(path, 'filler'), Buffer.alloc(8_388_608)).catch(() => undefined);
    const large = 'x'.repeat(8_000);
    const refused = await control.call('/runs', { json: { input: { large } } });
    expect(refused).toMatchObject({
      status: 503,
      body: { issues: [{ code: 'storage_failed' }] },
      headers: { 'retry-after': '1' },
    });
    const list = await control.call('/events', { method: 'GET' });
    expect(list.body).toMatchObject({ data: [{ runId: before }] });
    await control.advance(5_000);

    await rm(join(path, 'filler'));
    await control.advance(5_000);
    const { id: after } = await control.run();
    await control.idle();
    const { runs, events, deliveries } = await readDataFolder(path);
    expect(Object.values(events).map(({ runId }) => runId)).toEqual([before, after]);
    expect(Object.values(deliveries).map(({ status }) => status)).toEqual([
      'delivered',
      'delivered',
    ]);
    expect(
      Object.values(runs).filter(({ input }) => JSON.stringify(input ?? '').includes('xxx')),
    ).toEqual([]);
    expect(listener.arrivals.length).toBeGreaterThanOrEqual(2);
    return undefined;
  });
});

test('a snapshot for which the disk has no room is removed, and writes go on', async (context) => {
  const path = await smallDisk();
  if (path === null) return context.skip();
  const logger = recordingLogger();
  const store = await openFolderStore(path, emptyState(1, 'token'), logger);
  for (let count = 0; count < 150; count += 1) {
    await store.commit(setTitle(`large ${count}`, 'x'.repeat(8_000)));
  }
  await store.close();
  expect(logger.lines).toMatchObject([expect.stringContaining('could not be compacted')]);
  expect((await readdir(path)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  const again = await openFolderStore(path, emptyState(1, 'token'), recordingLogger());
  expect(Object.keys(titles(again.state))).toHaveLength(150);
  await again.close();
  return undefined;
});

test.skipIf(process.platform === 'win32')(
  'a process without file descriptors still writes over its open connections',
  async () => {
    const command = `ulimit -n 400; exec node ${WITHOUT_DESCRIPTORS} ${await temporaryFolder()}`;
    const { stdout } = await run('bash', ['-c', command], { timeout: 30_000 });
    expect(JSON.parse(stdout)).toEqual({ before: 200, refusal: 'EMFILE', during: [200, 200] });
  },
);
