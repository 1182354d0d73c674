import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import { expect, test } from 'vitest';

import { createWorld } from '../../../../server-reference/src/lab/world/create-world.ts';
import { createRun } from '../../../../server-reference/src/platform/runs/change-run.ts';
import { emptyState } from '../../../../server-reference/src/platform/state/state.ts';
import type { ReadonlyState } from '../../../../server-reference/src/platform/state/state.ts';
import { openFolderStore } from '../../../../server-reference/src/platform/store/folder-store.ts';
import type { Store } from '../../../../server-reference/src/platform/store/store.ts';
import { journalIn } from '../../data-folder.ts';
import { recordingLogger } from './recording-logger.ts';
import { temporaryFolder } from './temporary-folder.ts';

function open(folder: string): Promise<Store> {
  return openFolderStore(folder, emptyState(1, 'token'), recordingLogger());
}

function recordsOf(state: ReadonlyState): unknown {
  const { grouped: _grouped, hasLargeValuesOnDisk: _onDisk, ...members } = state;
  return JSON.parse(JSON.stringify(members));
}

const crc = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** Rewrites a file as releases with format 6 wrote it: no line has facts, and all are `[table, record]`. */
async function writeFormat6(path: string): Promise<void> {
  const [first = '', ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const texts = lines
    .filter((line) => !line.startsWith('batch '))
    .map((line) => line.slice(9).split('\t'))
    .map(([change = '', , record]) =>
      record === undefined ? change : `[${change.split(',', 1)[0]?.slice(1)},${record}]`,
    );
  const kind = first.slice(9).replace('7]', '6]');
  const written = texts.map((text) => `${crc(text)} ${text}\n`).join('');
  const batch = `batch ${texts.length} ${Buffer.byteLength(written)}`;
  const start = path.endsWith('.journal') ? `${batch} ${crc(batch)}\n` : '';
  await writeFile(path, `${crc(kind)} ${kind}\n${start}${written}`);
}

test('a folder of format 6 is moved forward once, with the same records and large values', async () => {
  const folder = await temporaryFolder();
  const store = await open(folder);
  await store.commit((state) => {
    const now = Date.UTC(2026, 6, 1);
    const { id: worldId, fixtures } = createWorld(state, now);
    state.defaultWorldId = worldId;
    const automation = state.automations.get(fixtures.workflowId) ?? expect.unreachable();
    const run = { worldId, automation, triggerType: 'api', origin: 'top-level' } as const;
    createRun(state, now, { ...run, status: 'pending', input: { text: 'x'.repeat(20_000) } });
  });
  const expected = recordsOf(store.state);
  expect(JSON.stringify(expected)).toContain('"$large"');
  await store.close();
  const journal = await journalIn(folder);
  await writeFormat6(journal);
  await writeFormat6(journal.replace('.journal', '.snapshot'));
  expect(await readFile(journal, 'utf8')).not.toContain('\t');
  for (const round of ['moves', 'reads']) {
    const again = await open(folder);
    expect(recordsOf(again.state), round).toEqual(expected);
    await again.close();
    expect((await readdir(folder)).filter((name) => name.startsWith('state')).toSorted()).toEqual([
      'state-000002.journal',
      'state-000002.snapshot',
    ]);
  }
  const snapshot = await readFile(join(folder, 'state-000002.snapshot'), 'utf8');
  expect(snapshot.slice(9)).toMatch(/^\["snapshot",7\]\n/);
});
