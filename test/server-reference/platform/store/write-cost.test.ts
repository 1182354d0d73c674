import { readFile, stat } from 'node:fs/promises';

import { createServer, virtualClock } from '@hookproof/server-reference';
import { constantFrom, object, sample, tuple } from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';

import { createWorld } from '../../../../server-reference/src/lab/world/create-world.ts';
import { emptyState, tablesOf } from '../../../../server-reference/src/platform/state/state.ts';
import type { State } from '../../../../server-reference/src/platform/state/state.ts';
import { openFolderStore } from '../../../../server-reference/src/platform/store/folder-store.ts';
import { call } from '../../contract-client.ts';
import { journalIn } from '../../data-folder.ts';
import { START, controlClient } from '../../lab/control/control-client.ts';
import type { ControlClient } from '../../lab/control/control-client.ts';
import { asId } from '../../state-by-text.ts';
import { recordingLogger } from './recording-logger.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What one small change may append to the journal, with its events and counters. */
const SMALL_WRITE_BYTES = 4_000;

/** Below the size of values that are stored in files, so that only what changed can make a write small. */
const LONG = 'x'.repeat(12_000);
const LARGE = {
  rows: Array.from({ length: 100 }, (_, row) => ({ row, name: `${row}`.padEnd(60) })),
};

interface Harness {
  readonly control: ControlClient;
  readonly fixtures: Readonly<Record<string, string>>;
  readonly api: (
    method: 'POST' | 'PUT' | 'PATCH',
    path: string,
    json: object,
  ) => Promise<{ id: string }>;
  /** What a write appends to the journal. */
  readonly bytesOf: (write: () => Promise<unknown>) => Promise<number>;
}

async function open(): Promise<Harness> {
  const path = await temporaryFolder();
  const server = await createServer({
    store: { kind: 'folder', path },
    clock: virtualClock({ now: START }),
    logger: recordingLogger(),
  });
  onTestFinished(() => server.close());
  const { baseUrl, world } = server;
  return {
    control: controlClient(server),
    fixtures: world.fixtures,
    async api(method, target, json) {
      const key = world.keys.wildcard;
      const { status, body } = await call(baseUrl, { method, path: target, key, json });
      expect([200, 201]).toContain(status);
      return body;
    },
    async bytesOf(write) {
      const journal = await journalIn(path);
      const before = await stat(journal);
      await write();
      expect(await journalIn(path)).toBe(journal);
      return (await stat(journal)).size - before.size;
    },
  };
}

type Write = () => Promise<unknown>;

/** Fills a record with large values, and returns a small write of the same record. */
const LARGE_RECORDS: Readonly<Record<string, (harness: Harness) => Promise<Write>>> = {
  async 'a review request'({ api, fixtures }) {
    const { reviewAutomationId, openReviewId } = fixtures;
    const path = `/v1/automations/${reviewAutomationId}/dataset-review-requests/${openReviewId}`;
    const focusFields = LARGE.rows.map(({ name }) => ({ path: name, reason: name }));
    const ignoredFields = LARGE.rows.map(({ name }) => name);
    await api('PATCH', path, { instructions: LONG, focusFields, ignoredFields, title: LONG });
    await api('PATCH', path, { instructions: `${LONG}.` });
    return () => api('PATCH', path, { title: 'small' });
  },
  async 'an example'({ api, fixtures }) {
    const path = `/v1/automations/${fixtures['workflowId']}/examples`;
    const values = { input: LARGE, expected: LARGE, metadata: LARGE, overrides: LARGE };
    const { id } = await api('POST', path, { ...values, annotation: 'x'.repeat(2_000) });
    return () => api('PATCH', `${path}/${id}`, { name: 'small' });
  },
  async 'a run'({ api }) {
    const target = 'workflows.invoice-matcher';
    const values = { input: LARGE, metadata: LARGE, overrides: { steps: { one: LARGE } } };
    const { id } = await api('POST', '/v1/runs', { target, ...values });
    return () => api('POST', `/v1/runs/${id}/cancel`, {});
  },
  async 'a review of a run'({ api, fixtures }) {
    const path = `/v1/runs/${fixtures['runId']}/reviews`;
    const corrections = [{ kind: 'field', path: '/a', label: LONG, correctedValue: LARGE }];
    const values = { note: LONG, correctedOutput: LARGE, corrections };
    await api('PUT', path, { verdict: 'incorrect', ...values });
    return () => api('PATCH', path, { status: 'closed' });
  },
  async 'a webhook endpoint'({ control }) {
    const names = Array.from({ length: 20 }, (_, index) => `X-${index}`);
    const headers = Object.fromEntries(names.map((name) => [name, 'x'.repeat(1_000)]));
    const { id } = await control.endpoint('http://127.0.0.1:9/', { headers });
    const json = { url: 'http://127.0.0.1:8/' };
    return () => control.call(`/webhook-endpoints/${id}`, { method: 'PATCH', json });
  },
};

test('a small write of a large record is small', async () => {
  const harness = await open();
  for (const [what, fill] of Object.entries(LARGE_RECORDS)) {
    const writes: Write[] = [];
    const filled = await harness.bytesOf(async () => writes.push(await fill(harness)));
    expect(filled, what).toBeGreaterThan(9_000);
    for (const write of writes) {
      expect(await harness.bytesOf(write), what).toBeLessThan(SMALL_WRITE_BYTES);
    }
  }
});

test('a write costs what it changes, whatever the table and the members of a record', async () => {
  const folder = await temporaryFolder();
  const state = emptyState(1, 'token');
  createWorld(state, START);
  const store = await openFolderStore(folder, state, recordingLogger());
  onTestFinished(() => store.close());
  const change = (name: string, value: unknown) => (tables: State) => {
    for (const table of Object.values(tablesOf(state))) {
      const [id] = [...table.stored()].map((one) =>
        String(Reflect.get(one, 'key') ?? Reflect.get(one, 'id')),
      );
      const records = table as unknown as { edit(id: string): object };
      if (id !== undefined && table.get(id) !== undefined)
        Reflect.set(records.edit(id), name, value);
    }
    return tables.ids.drawn;
  };
  const size = async (): Promise<number> => (await stat(await journalIn(folder))).size;
  await store.commit(change('large', LARGE));
  const before = await size();
  await store.commit(change('small', 1));
  const filled = Object.values(tablesOf(state)).filter((table) => table.size > 0).length;
  expect(filled).toBeGreaterThan(10);
  expect((await size()) - before).toBeLessThan(filled * 200);
});

test('what a restart reads is the record as it was, whatever changed in it', async () => {
  const folder = await temporaryFolder();
  const store = await openFolderStore(folder, emptyState(1, 'token'), recordingLogger());
  const value = object({ maxDepth: 4, key: constantFrom('a', 'b', '1', '__proto__', 'id') });
  const pairs = sample(tuple(value, value), { numRuns: 400, seed: 7 });
  const put = (round: number) => (state: State) => {
    for (const [index, pair] of pairs.entries()) {
      const member = JSON.parse(JSON.stringify({ value: pair[round] }));
      const id = asId<never>(String(index));
      state.folders.add({ id, tenantId: id, parentId: null, name: 'x', ...member });
    }
  };
  await store.commit(put(0));
  await store.commit(put(1));
  const written = JSON.stringify(store.state.folders);
  await store.close();
  expect(await readFile(await journalIn(folder), 'utf8')).toContain(',[[["value"');
  const again = await openFolderStore(folder, emptyState(1, 'token'), recordingLogger());
  expect(JSON.stringify(again.state.folders)).toBe(written);
  await again.close();
});
