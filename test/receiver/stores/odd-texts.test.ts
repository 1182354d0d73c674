import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { memoryStore } from '@hookproof/receiver/memory';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { runCreatedEvent } from '@hookproof/receiver/testing';
import { expect, it, onTestFinished } from 'vitest';

import { startedReceiver } from '../started-receiver.ts';

const RUN_IDS = ['a\0b', 'a\0c', 'a\uD800', 'a\uDC00', 'x'.repeat(513), 'x'.repeat(900_000)];

async function newFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-run-ids-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return path.join(folder, 'events.db');
}

it.each([
  ['memory', async () => memoryStore()],
  ['SQLite', async () => sqliteStore({ file: await newFile() })],
])('quarantines run ids that a store would change, each on its own (%s)', async (_, create) => {
  const { receiver, deliver, handled, problems } = await startedReceiver({ store: await create() });
  const events = RUN_IDS.map((id, index) => runCreatedEvent({ id: `whev_${index}`, run: { id } }));
  for (const { code } of await deliver(...events)) expect(code).toBe('accepted');
  expect(handled).toEqual([]);
  expect(problems).toHaveLength(RUN_IDS.length);
  const { items } = await receiver.deadLetters();
  expect(items.map(({ id, runId, reason }) => [id, runId, reason])).toEqual(
    events.map(({ id }) => [id, null, 'event_quarantined']),
  );
  expect(items[0]?.error).toContain('data.run.id must have at most 512 characters');
  expect(await receiver.timeline('a\0b')).toBe(null);
  expect(await receiver.redrive({ runId: 'a\0b' })).toBe(0);
});

it('keeps a run id of 512 characters of any script', async () => {
  const { deliver, receiver } = await startedReceiver({
    store: sqliteStore({ file: await newFile() }),
  });
  const id = '\u{1F600}\u6F22'.repeat(170);
  await deliver(runCreatedEvent({ id: 'whev_1', run: { id } }));
  expect((await receiver.timeline(id))?.steps).toHaveLength(1);
});
