import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import { expect, test } from 'vitest';

import { createWorld } from '../../../../server-reference/src/lab/world/create-world.ts';
import { createRun } from '../../../../server-reference/src/platform/runs/change-run.ts';
import type { WebhookEndpointId } from '../../../../server-reference/src/platform/state/ids.ts';
import { emptyState } from '../../../../server-reference/src/platform/state/state.ts';
import type {
  ReadonlyState,
  State,
} from '../../../../server-reference/src/platform/state/state.ts';
import { openFolderStore } from '../../../../server-reference/src/platform/store/folder-store.ts';
import type { Store } from '../../../../server-reference/src/platform/store/store.ts';
import { asId } from '../../state-by-text.ts';
import { recordingLogger } from './recording-logger.ts';
import { setTitle } from './store-contract.ts';
import { temporaryFolder } from './temporary-folder.ts';

function open(folder: string): Promise<Store> {
  return openFolderStore(folder, emptyState(1, 'token'), recordingLogger());
}

const START = Date.UTC(2026, 6, 1);
const SHA256 = 'a'.repeat(64);
const TEXT = 'a tab \t, a quote ", a line\n, ü, \u{1f600}, \ud800';

/** Adds a world and two runs with their events and deliveries: one has ended, the other goes on. */
function fill(state: State): void {
  const world = createWorld(state, START);
  state.defaultWorldId = world.id;
  const endpoint = { url: 'http://127.0.0.1:9/', headers: {}, secret: 'whsec_x', enabled: true };
  const endpointId = asId<WebhookEndpointId>('whep_1');
  const createdAt = new Date(START).toISOString();
  state.webhookEndpoints.add({ ...endpoint, id: endpointId, worldId: world.id, createdAt });
  const automation = state.automations.get(world.fixtures.workflowId) ?? expect.unreachable();
  const input = { worldId: world.id, automation, triggerType: 'api', origin: 'top-level' } as const;
  const ended = createRun(state, START, { ...input, status: 'cancelled', output: TEXT });
  const large = { text: TEXT.repeat(1_000) };
  const begun = createRun(state, START, { ...input, status: 'pending', input: large });
  for (const { id } of ended.deliveries) state.deliveries.edit(id).status = 'delivered';
  const run = state.runs.edit(begun.run.id);
  run.scheduledTransitions = [{ status: 'completed', at: createdAt }];
  run.outputFiles = [{ path: 'a', contentType: 'text/plain', size: 1, sha256: SHA256 }];
}

/** What the indexes say, without the runs, events and deliveries themselves. */
function indexesOf({ listed, history, grouped, hashes, sentEvents, ...state }: ReadonlyState) {
  const { runs, unsentEvents, deliveries } = history;
  const sizes = [runs, unsentEvents, deliveries].map((one) => [one.size, [...one.entries()]]);
  return {
    runs: listed.runs.of([...state.tenants.values()][0]?.id ?? ''),
    sizes,
    scheduled: [...grouped.scheduledRuns.all()],
    pending: [...grouped.pendingDeliveries.all()],
    sent: [...state.events.values()].map(({ id }) => sentEvents.has(id)),
    hashes: hashes.map((names) => names.has(SHA256)),
  };
}

function recordsOf({ runs, events, deliveries }: ReadonlyState): unknown {
  return structuredClone(
    [runs, events, deliveries].map((table) => JSON.parse(JSON.stringify([...table.values()]))),
  );
}

async function files(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.startsWith('state')).toSorted();
}

test('the indexes and the records are the same after a start, after another one, and after a compaction', async () => {
  const folder = await temporaryFolder();
  const first = await open(folder);
  await first.commit(fill);
  const [indexes, records] = [indexesOf(first.state), recordsOf(first.state)];
  expect(indexes).toMatchObject({ scheduled: [expect.any(String)], pending: [expect.any(String)] });
  expect(indexes.hashes).toContain(true);
  await first.close();
  const second = await open(folder);
  expect(indexesOf(second.state)).toEqual(indexes);
  await second.commit(setTitle('one', 'x'.repeat(1_100_000)));
  await second.commit(setTitle('one', 'compacts'));
  await second.close();
  expect(await files(folder)).toEqual(['state-000002.journal', 'state-000002.snapshot']);
  const third = await open(folder);
  expect(indexesOf(third.state)).toEqual(indexes);
  expect(recordsOf(third.state)).toEqual(records);
  await third.close();
});

test('an unused record that is deleted or replaced later is neither listed nor read again', async () => {
  const folder = await temporaryFolder();
  const first = await open(folder);
  await first.commit(fill);
  await first.close();
  const second = await open(folder);
  const [gone, changed] = [...second.state.runs.values()].map(({ id }) => id);
  await second.commit((state) => {
    if (gone !== undefined) state.runs.delete(gone);
    if (changed !== undefined) state.runs.edit(changed).triggerType = 'changed';
  });
  const expected = [indexesOf(second.state), recordsOf(second.state)];
  await second.close();
  const third = await open(folder);
  expect([indexesOf(third.state), recordsOf(third.state)]).toEqual(expected);
  expect(third.state.runs.get(changed ?? '')?.triggerType).toBe('changed');
  await third.close();
});

const crc = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** A folder whose first run has another line in the snapshot, with the right checksum. */
async function folderWithRunLine(
  change: (parts: string[]) => string[],
): Promise<{ folder: string; id: string; otherId: string }> {
  const folder = await temporaryFolder();
  const store = await open(folder);
  await store.commit(fill);
  const [id = '', otherId = ''] = [...store.state.runs.values()].map((run) => run.id);
  await store.commit(setTitle('one', 'x'.repeat(1_100_000)));
  await store.commit(setTitle('one', 'compacts'));
  await store.close();
  const snapshot = join(folder, (await files(folder))[1] ?? '');
  const lines = (await readFile(snapshot, 'utf8')).split('\n').map((line) => {
    if (!line.slice(9).startsWith(`["runs","${id}"`)) return line;
    const text = change(line.slice(9).split('\t')).join('\t');
    return `${crc(text)} ${text}`;
  });
  await writeFile(snapshot, lines.join('\n'));
  return { folder, id, otherId };
}

test('an edit in a journal changes an unused record of a snapshot, with what the indexes know', async () => {
  const folder = await temporaryFolder();
  const first = await open(folder);
  await first.commit(fill);
  await first.commit(setTitle('one', 'x'.repeat(1_100_000)));
  await first.commit(setTitle('one', 'compacts'));
  await first.close();
  const second = await open(folder);
  const [pending = ''] = second.state.grouped.pendingDeliveries.all();
  const [scheduled = ''] = second.state.grouped.scheduledRuns.all();
  await second.commit((state) => {
    const run = state.runs.edit(asId(scheduled));
    run.scheduledTransitions = [];
    run.outputFiles = [];
    run.output = run.input ?? expect.unreachable();
    state.deliveries.edit(asId(pending)).status = 'delivered';
  });
  const expected = [indexesOf(second.state), recordsOf(second.state)];
  expect(expected[0]).toMatchObject({ scheduled: [], pending: [] });
  await second.close();
  const journal = await readFile(join(folder, (await files(folder))[0] ?? ''), 'utf8');
  expect(journal).toContain(`["deliveries","${pending}",[[["status"],"delivered"]]]`);
  expect(journal).not.toContain('\t');
  for (const round of ['after the edit', 'again']) {
    const next = await open(folder);
    expect([indexesOf(next.state), recordsOf(next.state)], round).toEqual(expected);
    await next.commit(setTitle('one', 'x'.repeat(1_200_000)));
    await next.commit(setTitle('one', `compacts ${round}`));
    await next.close();
  }
  expect(await files(folder)).toEqual(['state-000004.journal', 'state-000004.snapshot']);
});

test('an edit of an unused record that another program wrote is refused at the start', async () => {
  const { folder, id } = await folderWithRunLine(([first = '', facts = '']) => {
    return [first, facts, '{"id":1}'];
  });
  const journal = join(folder, (await files(folder))[0] ?? '');
  const text = `["runs","${id}",[[["triggerType"],"x"]]]`;
  const line = `${crc(text)} ${text}\n`;
  const batch = `batch 1 ${line.length}`;
  await appendFile(journal, `${batch} ${crc(batch)}\n${line}`);
  await expect(open(folder)).rejects.toMatchObject({
    code: 'store_corrupt',
    message: expect.stringContaining(`id must be text in record ${id}`),
  });
});

test.each([
  ['of another shape', '{"id":1}', 'id must be text in record'],
  ['that is no JSON', '{"id":', 'is not JSON'],
])(
  'a record %s that another program wrote is named when it is used',
  async (_what, record, why) => {
    const { folder, id, otherId } = await folderWithRunLine(([first = '', facts = '']) => {
      return [first, facts, record];
    });
    const store = await open(folder);
    expect(store.state.runs.get(otherId)?.id).toBe(otherId);
    expect(() => store.state.runs.get(id)).toThrow(
      expect.objectContaining({
        code: 'store_corrupt',
        message: expect.stringMatching(
          new RegExp(`${folder}/state-000002.snapshot is damaged at byte \\d+: .*${id}`),
        ),
      }),
    );
    expect(() => store.state.runs.get(id)).toThrow(why);
    await store.close();
  },
);

test.each([
  ['an unknown table', (first: string) => first.replace('runs', 'walks'), 'it names no table'],
  ['no id', (first: string) => first.replace(/"exec_[^"]*"/, 'null'), 'id must be text'],
  ['no list', (first: string) => first.replace('[]', '7'), 'must be a list of references'],
  ['a wrong reference', (first: string) => first.replace('[]', '[{}]'), 'a list of references'],
])('a line with %s is refused at the start', async (_what, change, why) => {
  const { folder } = await folderWithRunLine(([first = '', ...rest]) => [change(first), ...rest]);
  await expect(open(folder)).rejects.toMatchObject({
    code: 'store_corrupt',
    message: expect.stringContaining(why),
  });
});

test('a flipped bit in any part of a line is refused at the start with the record', async () => {
  for (const part of [0, 1, 2]) {
    const folder = await temporaryFolder();
    const store = await open(folder);
    await store.commit(fill);
    const [id = ''] = [...store.state.runs.values()].map((run) => run.id);
    await store.close();
    const journal = join(folder, (await files(folder))[0] ?? '');
    const bytes = await readFile(journal);
    let place = bytes.indexOf(`["runs","${id}"`);
    for (let index = 0; index < part; index += 1) place = bytes.indexOf('\t', place) + 1;
    bytes[place + 3] = (bytes[place + 3] ?? 0) ^ 1;
    await writeFile(journal, bytes);
    await expect(open(folder)).rejects.toMatchObject({
      code: 'store_corrupt',
      message: expect.stringContaining('checksum of'),
    });
  }
});
