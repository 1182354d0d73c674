import { execFileSync } from 'node:child_process';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createServer, virtualClock } from '@hookproof/server-reference';
import { describe, expect, onTestFinished, test } from 'vitest';

import { readDataFolder } from '../data-folder.ts';
import { controlClient, START } from '../lab/control/control-client.ts';
import { listenAt } from '../events/endpoint-listener.ts';
import { recordingLogger } from './recording-logger.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A disk of two megabytes, or null where this user may not mount one. */
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
  test('refuses writes with 503; with room again, all of them are written and deliveries continue', async (context) => {
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
    expect(await readdir(path)).not.toContain('data.json.tmp');
    const stored = await readDataFolder(path);
    expect(Object.values(stored.events).map(({ runId }) => runId)).toEqual([before]);
    await control.expectOk(200, '/events');
    await control.advance(5_000);
    const sent = listener.arrivals.length;
    expect(sent).toBe(1);

    await rm(join(path, 'filler'));
    await control.advance(5_000);
    const { id: after } = await control.run();
    await control.idle();
    const { events, deliveries } = await readDataFolder(path);
    const [first, waiting, last] = Object.values(events).map(({ runId }) => runId);
    expect([first, last]).toEqual([before, after]);
    await control.expectOk(200, `/runs/${waiting}`);
    expect(Object.values(deliveries).map(({ status }) => status)).toEqual(
      Array.from({ length: 3 }, () => 'delivered'),
    );
    expect(listener.arrivals).toHaveLength(3);
    return undefined;
  });
});
