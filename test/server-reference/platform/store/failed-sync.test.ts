import { cp } from 'node:fs/promises';
import { join } from 'node:path';

import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { expect, onTestFinished, test, vi } from 'vitest';

import { START, controlClient } from '../../lab/control/control-client.ts';
import { methodsOfFiles } from './methods-of-files.ts';
import { recordingLogger } from './recording-logger.ts';
import { temporaryFolder } from './temporary-folder.ts';

async function serve(path: string): Promise<ReferenceServer> {
  const server = await createServer({
    store: { kind: 'folder', path },
    clock: virtualClock({ now: START }),
    logger: recordingLogger(),
  });
  onTestFinished(() => server.close());
  return server;
}

async function runsOf(server: ReferenceServer): Promise<string[]> {
  const { body } = await controlClient(server).call('/runs');
  return (body as { data: { id: string }[] }).data.map(({ id }) => id);
}

/** What a kill would leave of a folder. */
async function copyOf(folder: string): Promise<string> {
  const copy = join(await temporaryFolder(), 'copy');
  await cp(folder, copy, { recursive: true, filter: (path) => !path.endsWith('lock') });
  return copy;
}

test.each([
  ['small', 10, false],
  ['large', 40_000, false],
  ['large', 40_000, true],
])(
  'a run with a %s input whose batch fails at its sync does not come back after a kill',
  async (_, characters, cannotCut) => {
    const folder = await temporaryFolder();
    const server = await serve(folder);
    const control = controlClient(server);
    const before = (await control.run()).id;
    const known = await runsOf(server);
    const files = await methodsOfFiles(folder);
    const sync = vi.spyOn(files, 'datasync');
    // The file of a large value is synced first.
    if (characters > 16_384) sync.mockResolvedValueOnce(undefined);
    sync.mockRejectedValueOnce(new Error('EIO'));
    if (cannotCut) vi.spyOn(files, 'truncate').mockRejectedValue(new Error('EIO'));
    onTestFinished(() => void vi.restoreAllMocks());
    const json = { input: { text: 'x'.repeat(characters) } };
    const refused = await control.call('/runs', { json });
    expect(refused).toMatchObject({ status: 503, body: { issues: [{ code: 'storage_failed' }] } });
    const copy = await copyOf(folder);
    vi.restoreAllMocks();
    const restarted = await runsOf(await serve(copy));
    expect(restarted).toContain(before);
    // A disk that refuses to cut may keep the batch, and then the whole of it.
    if (!cannotCut) expect(restarted).toEqual(known);
    const { id: after } = await control.run();
    await server.close();
    expect(await runsOf(await serve(folder))).toEqual([...known, after]);
  },
);
