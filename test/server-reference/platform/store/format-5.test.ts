import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import { expect, test } from 'vitest';

import { createWorld } from '../../../../server-reference/src/lab/world/create-world.ts';
import { emptyState } from '../../../../server-reference/src/platform/state/state.ts';
import { openFolderStore } from '../../../../server-reference/src/platform/store/folder-store.ts';
import type { Store } from '../../../../server-reference/src/platform/store/store.ts';
import { plainState, textIn } from '../../state-by-text.ts';
import { writeFormerFormat } from './former-format.ts';
import { recordingLogger } from './recording-logger.ts';
import { temporaryFolder } from './temporary-folder.ts';

function open(folder: string): Promise<Store> {
  return openFolderStore(folder, emptyState(1, 'token'), recordingLogger());
}

const crc = (text: string): string => crc32(text).toString(16).padStart(8, '0');
const line = (change: unknown): string =>
  `${crc(JSON.stringify(change))} ${JSON.stringify(change)}\n`;

/** A batch of a journal: its first line, and the changes. */
function batch(...changes: unknown[]): string {
  const lines = changes.map(line).join('');
  const text = `batch ${changes.length} ${Buffer.byteLength(lines)}`;
  return `${text} ${crc(text)}\n${lines}`;
}

const LARGE = { text: 'ü'.repeat(200_000) };
const SMALL = { $large: 'a value of a caller', bytes: 1 };

interface Former {
  readonly folder: string;
  readonly largeId: string;
  readonly smallId: string;
  readonly eventId: string;
}

/** A folder as releases with format 5 wrote it, killed in a write. All values are in their records. */
async function formerFolder(): Promise<Former> {
  const state = emptyState(1, 'kept token');
  state.defaultWorldId = createWorld(state, Date.UTC(2026, 6, 1)).id;
  const { ids, controlToken, defaultWorldId, startedAt: _startedAt, ...tables } = plainState(state);
  const singles = ['singles', { ids, controlToken, defaultWorldId }];
  const records = Object.entries(tables)
    .filter(([name]) => name in NAMES)
    .flatMap(([name, byId]) => Object.values(byId).map((record) => [name, record]));
  const [first, second] = Object.values(tables.runs);
  const [largeId, smallId] = [first?.id ?? '', second?.id ?? ''];
  const eventId = 'event_1';
  const event = { id: eventId, worldId: defaultWorldId, type: 'run.created', runId: largeId };
  const payload = JSON.stringify(LARGE);
  const journal =
    line(['journal', 5]) +
    batch(singles, ['runs', { ...first, input: LARGE, output: LARGE }]) +
    batch(singles, ['runs', { ...second, input: SMALL }]) +
    batch(singles, ['events', { ...event, test: false, createdAt: '', payload }]) +
    batch(singles).slice(0, -9);
  const snapshot = [['snapshot', 5], singles, ...records, ['end', records.length]].map(line);
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'state-000003.snapshot'), snapshot.join(''));
  await writeFile(join(folder, 'state-000003.journal'), journal);
  return { folder, largeId, smallId, eventId };
}

const NAMES = Object.fromEntries(
  'worlds tenants users apiKeys automations folders agents templates reviewRequests examples evaluators experiments files uploads runs runReviews webhookEndpoints events deliveries responseBodies'
    .split(' ')
    .map((name) => [name, true]),
);

function inputOf(store: Store, id: string): unknown {
  const kept: unknown = store.state.runs.get(id)?.input;
  return kept !== null && typeof kept === 'object' && 'read' in kept
    ? (kept as { read(): unknown }).read()
    : kept;
}

function expectMoved(store: Store, { largeId, smallId, eventId }: Former): void {
  expect(inputOf(store, largeId)).toEqual(LARGE);
  expect(inputOf(store, smallId)).toEqual(SMALL);
  expect(textIn(store.state.events.get(eventId)?.payload)).toBe(JSON.stringify(LARGE));
  expect(store.state.controlToken).toBe('kept token');
}

test('a folder of format 5 is moved forward once, with its large values outside of the records', async () => {
  const former = await formerFolder();
  const store = await open(former.folder);
  expectMoved(store, former);
  await store.close();
  expect((await readdir(former.folder)).toSorted()).toEqual([
    'state-000004.journal',
    'state-000004.snapshot',
    'values',
  ]);
  expect(await readdir(join(former.folder, 'values'))).toHaveLength(3);
  const snapshot = await readFile(join(former.folder, 'state-000004.snapshot'), 'utf8');
  expect(snapshot).not.toContain('üüü');
  const again = await open(former.folder);
  expectMoved(again, former);
  await again.close();
});

test.each([
  ['after the values', []],
  ['after the journal', ['state-000004.journal']],
  ['before the rename', ['state-000004.journal', 'state-000004.snapshot.tmp']],
  ['before the removal', ['state-000004.journal', 'state-000004.snapshot']],
])('a kill %s of the move loses nothing', async (_what, present) => {
  const [killed, moved] = [await formerFolder(), await formerFolder()];
  await (await open(moved.folder)).close();
  const names = (await readdir(join(moved.folder, 'values'))).map((name) => join('values', name));
  await mkdir(join(killed.folder, 'values'));
  for (const name of [...names, ...present]) {
    await copyFile(join(moved.folder, name.replace('.tmp', '')), join(killed.folder, name));
  }
  if (present.length > 0) {
    // The torn end was cut before the next journal began.
    const journal = join(killed.folder, 'state-000003.journal');
    const text = await readFile(journal, 'utf8');
    await writeFile(journal, text.slice(0, text.lastIndexOf('batch ')));
  }
  const store = await open(killed.folder);
  expectMoved(store, killed);
  await store.close();
  expect((await readdir(killed.folder)).filter((name) => name.includes('000003'))).toEqual([]);
});

test('a folder of format 6 is moved forward, with its values and its whole records', async () => {
  const former = await formerFolder();
  const store = await open(former.folder);
  await store.commit((state) => {
    state.tenants.add({ ...[...state.tenants.values()][0], id: 'tenant_new' } as never);
  });
  await store.close();
  for (const kind of ['snapshot', 'journal']) {
    await writeFormerFormat(join(former.folder, `state-000004.${kind}`), 6);
  }
  const again = await open(former.folder);
  expectMoved(again, former);
  expect(again.state.tenants.has('tenant_new')).toBe(true);
  await again.close();
  const snapshot = await readFile(join(former.folder, 'state-000005.snapshot'), 'utf8');
  expect(snapshot).toMatch(/^[0-9a-f]{8} \["snapshot",8\]\n/);
});
