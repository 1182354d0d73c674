/**
 * Accepts and settles many events in a SQLite store, forgets them from time to time, and sends how much
 * memory and disk it takes. Argument: a folder. `MANY_EVENTS` is the number of events (default 200,000).
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';

import { realClock } from '@hookproof/receiver';
import { sqliteStore } from '@hookproof/receiver/sqlite';

import { deliveryOf } from '../../delivery.ts';

export interface Sample {
  readonly events: number;
  readonly residentBytes: number;
  readonly fileBytes: number;
}

const PART = 1_000;
const REMEMBERED = 25_000;
const RUN_LENGTH = 5;
const SAMPLES = 20;

const count = Number(process.env['MANY_EVENTS'] ?? 200_000);
const file = path.join(process.argv[2] ?? '.', 'events.db');
const { body } = deliveryOf(1_024);
const store = sqliteStore({ file });
await store.open({ clock: realClock(), wake: () => {}, conflict: () => {} });

async function acceptPart(first: number): Promise<void> {
  const accepted = Array.from({ length: PART }, (_, index) => {
    const id = `whev_${first + index}`;
    const runId = `exec_${Math.floor((first + index) / RUN_LENGTH)}`;
    const createdAt = '2026-07-01T00:00:00.000Z';
    const edge = { id, previousStatus: 'pending', currentStatus: 'running', createdAt };
    return store.accept({ id, body, timestamp: 1, content: { kind: 'run', runId, edge } });
  });
  await Promise.all(accepted);
}

async function settlePart(): Promise<void> {
  const request = { holder: 'bench', inHand: [], limit: PART, leaseFor: 60_000 };
  const works = await store.take(request);
  const finished = works.map(({ lease, open }) => {
    const outcomes = open.map(({ id }) => ({ id, as: 'settled', runSettled: false }) as const);
    return store.finish(lease, outcomes, { do: 'release', dueIn: null });
  });
  await Promise.all(finished);
}

async function fileBytes(): Promise<number> {
  const sizes = [file, `${file}-wal`].map((name) => stat(name).catch(() => ({ size: 0 })));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
}

const samples: Sample[] = [];
for (let events = 0; events < count;) {
  await acceptPart(events);
  await settlePart();
  events += PART;
  if (events % REMEMBERED === 0) await store.purge(0);
  if (events % Math.max(PART, count / SAMPLES) === 0) {
    const residentBytes = process.memoryUsage.rss();
    samples.push({ events, residentBytes, fileBytes: await fileBytes() });
  }
}
const { open } = await store.stats();
await store.close();
process.send?.({ samples, open, closedBytes: await fileBytes() });
