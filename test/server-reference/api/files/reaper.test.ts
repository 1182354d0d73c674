import { virtualClock } from '@hookproof/server-reference';
import { expect, test } from 'vitest';

import { Reaper } from '../../../../server-reference/src/api/files/reaper.ts';
import type { FileRecord } from '../../../../server-reference/src/store/files.ts';
import { createMemoryBlobs } from '../../../../server-reference/src/store/memory-blobs.ts';
import { createMemoryStore } from '../../../../server-reference/src/store/open-storage.ts';
import { emptyState } from '../../../../server-reference/src/store/state.ts';
import type { Store } from '../../../../server-reference/src/store/store.ts';
import { once } from '../../store/blobs-contract.ts';
import { recordingLogger } from '../../store/recording-logger.ts';
import { asId } from '../../state-by-text.ts';

const START = Date.parse('2026-03-02T09:00:00.000Z');
const DAY = 86_400_000;

function fileOf(id: string, sha256: string, expiresAt: number | null): FileRecord {
  return {
    id: asId(id),
    tenantId: asId('tenant_1'),
    filename: 'a',
    contentType: 'text/plain',
    size: 1,
    sha256,
    purpose: null,
    createdAt: new Date(START).toISOString(),
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  };
}

function memory(): Store {
  return createMemoryStore(emptyState(1, 'token'));
}

function startReaper(options: ConstructorParameters<typeof Reaper>[0]): Reaper {
  const reaper = new Reaper(options);
  reaper.start();
  return reaper;
}

test('an expiry beyond the maximum timer delay is exact to the millisecond', async () => {
  const clock = virtualClock({ now: START });
  const [store, blobs, logger] = [memory(), createMemoryBlobs(), recordingLogger()];
  const { sha256 } = await blobs.put(once('far'), 10);
  const due = START + 60 * DAY + 1;
  await store.commit((state) => state.files.add(fileOf('file_1', sha256, due)));
  blobs.release(sha256);
  const reaper = startReaper({ store, blobs, clock, logger, kept: new Set() });
  await clock.advance(60 * DAY);
  expect(await blobs.has(sha256)).toBe(true);
  await clock.advance(1);
  expect(store.state.files.size).toBe(0);
  expect(await blobs.has(sha256)).toBe(false);
  await reaper.close();
  expect(logger.lines).toEqual([]);
});

test('bytes without a record yet, and kept bytes, are not swept', async () => {
  const clock = virtualClock({ now: START });
  const [store, blobs, logger] = [memory(), createMemoryBlobs(), recordingLogger()];
  const pending = await blobs.put(once('pending'), 10);
  const kept = await blobs.put(once('kept'), 10);
  const loose = await blobs.put(once('loose'), 10);
  blobs.release(kept.sha256);
  blobs.release(loose.sha256);
  const reaper = startReaper({ store, blobs, clock, logger, kept: new Set([kept.sha256]) });
  await clock.advance(0);
  expect(await blobs.has(loose.sha256)).toBe(false);
  expect(await blobs.has(kept.sha256)).toBe(true);
  expect(await blobs.has(pending.sha256)).toBe(true);
  await store.commit((state) => state.files.add(fileOf('file_1', pending.sha256, null)));
  blobs.release(pending.sha256);
  await clock.advance(2 * DAY);
  expect(await blobs.has(pending.sha256)).toBe(true);
  await reaper.close();
});

test('a failed sweep is logged, and repeated an hour later', async () => {
  const clock = virtualClock({ now: START });
  const logger = recordingLogger();
  const working = createMemoryBlobs();
  let fails = true;
  const sweep: typeof working.sweep = (...steps) =>
    fails ? Promise.reject(new Error('disk')) : working.sweep(...steps);
  const { sha256 } = await working.put(once('loose'), 10);
  working.release(sha256);
  const blobs = { ...working, sweep };
  const reaper = startReaper({ store: memory(), blobs, clock, logger, kept: new Set() });
  await clock.advance(0);
  expect(logger.lines).toEqual(['error Removal of temporary files failed. Next attempt in 1 h.']);
  fails = false;
  await clock.advance(3_600_000);
  expect(await working.has(sha256)).toBe(false);
  expect(logger.lines).toHaveLength(1);
  await reaper.close();
});

test('nothing is removed after close', async () => {
  const clock = virtualClock({ now: START });
  const [store, blobs, logger] = [memory(), createMemoryBlobs(), recordingLogger()];
  const { sha256 } = await blobs.put(once('stays'), 10);
  await store.commit((state) => state.files.add(fileOf('file_1', sha256, START + DAY)));
  const reaper = startReaper({ store, blobs, clock, logger, kept: new Set() });
  await reaper.close();
  await clock.advance(2 * DAY);
  expect([...store.state.files.values()].map(({ id }) => id)).toEqual(['file_1']);
});

test('bytes without room wait for a sweep, and are refused if it makes none', async () => {
  const clock = virtualClock({ now: START });
  const [store, blobs, logger] = [memory(), createMemoryBlobs(6_000), recordingLogger()];
  const reaper = startReaper({ store, blobs, clock, logger, kept: new Set() });
  await clock.advance(0);
  const put = (text: string): Promise<{ sha256: string }> =>
    blobs.put(once(text.repeat(2_000)), 10_000);
  const [first, second] = [await put('a'), await put('b')];
  await expect(put('c')).rejects.toMatchObject({ code: 'store_full' });
  await store.commit((state) => state.files.add(fileOf('file_1', second.sha256, null)));
  blobs.release(first.sha256);
  blobs.release(second.sha256);
  const third = await put('c');
  expect(await Promise.all([first, second, third].map(({ sha256 }) => blobs.has(sha256)))).toEqual([
    false,
    true,
    true,
  ]);
  await expect(put('d')).rejects.toThrow('at most 6000 bytes together');
  await reaper.close();
  await expect(put('e')).rejects.toMatchObject({ code: 'store_full' });
  expect(logger.lines).toEqual([]);
});

test('bytes of refused requests make room, though no record changed', async () => {
  const clock = virtualClock({ now: START });
  const [store, blobs, logger] = [memory(), createMemoryBlobs(6_000), recordingLogger()];
  const reaper = startReaper({ store, blobs, clock, logger, kept: new Set() });
  await clock.advance(0);
  for (const text of ['a', 'b', 'c', 'd']) {
    const { sha256 } = await blobs.put(once(text.repeat(2_000)), 10_000);
    blobs.release(sha256);
  }
  await clock.advance(3_600_000);
  const { sha256 } = await blobs.put(once('e'), 10);
  blobs.release(sha256);
  await clock.advance(3_600_000);
  expect(await blobs.has(sha256)).toBe(false);
  await reaper.close();
});
