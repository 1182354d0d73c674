import buffer from 'node:buffer';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inspect } from 'node:util';

import { createReceiver } from '@hookproof/receiver';
import type { Store } from '@hookproof/receiver';
import { postgresStore } from '@hookproof/receiver/postgres';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { runTimeline, testSender } from '@hookproof/receiver/testing';
import { Pool } from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { freshDatabase } from '../../services/databases.ts';
import { describeWith } from '../../services/local-server.ts';

const CANARY = 'cnryOutput9f3a';
const SECRET = 'whsec_cnrySecret9f3a';
// `inspect` cuts off a Buffer after 50 bytes.
const { INSPECT_MAX_BYTES } = buffer;
beforeAll(() => {
  buffer.INSPECT_MAX_BYTES = 1_000_000;
});
afterAll(() => {
  buffer.INSPECT_MAX_BYTES = INSPECT_MAX_BYTES;
});

const events = runTimeline(['pending', 'running'], { run: { output: { text: CANARY } } });

/** Delivers two events, breaks the store between them, and returns everything that was reported. */
async function reported(store: Store, breakStore: () => Promise<unknown>): Promise<string> {
  const seen: unknown[] = [];
  const receiver = createReceiver({
    secrets: SECRET,
    store,
    pollMilliseconds: 20,
    onError: (problem) => seen.push(problem),
  });
  await receiver.start();
  onTestFinished(() => receiver.close().catch(() => undefined));
  const sender = testSender({ receiver, secret: SECRET, maxAttempts: 1 });
  expect(await sender.send(events.slice(0, 1))).toMatchObject([{ outcome: 'delivered' }]);
  await breakStore();
  const attempt = async () => (await sender.send(events.slice(1)))[0]?.attempts[0]?.status;
  await expect.poll(attempt).toBe(503);
  await expect.poll(() => seen.length).toBeGreaterThan(0);
  const limits = { maxStringLength: null, maxArrayLength: null };
  return inspect(seen, { depth: 20, showHidden: true, ...limits });
}

/** The body in the forms in which a client library could show it. */
function expectNoCanary(text: string): void {
  const hex = Buffer.from(CANARY).toString('hex');
  expect(text).toContain('store_unavailable');
  expect(text).not.toContain('cnry');
  expect(text.replaceAll(/[^0-9a-f]/g, '')).not.toContain(hex);
}

describeWith('postgres')('a PostgreSQL store that fails reports no payload', () => {
  const drop = 'DROP SCHEMA hookproof CASCADE';

  test('with pg', async () => {
    const pool = new Pool({ connectionString: await freshDatabase(), max: 8 });
    expectNoCanary(await reported(postgresStore({ pool }), () => pool.query(drop)));
  });

  test('with postgres', async () => {
    const sql = postgres(await freshDatabase(), { max: 8, onnotice: () => undefined });
    expectNoCanary(await reported(postgresStore({ sql }), () => sql.unsafe(drop)));
  });
});

test('a SQLite store that fails reports no payload', async () => {
  const file = path.join(emptyFolder(), 'events.db');
  const store = sqliteStore({ file });
  const breakStore = async () => {
    await rm(file);
    await writeFile(file, 'no database');
  };
  expectNoCanary(await reported(store, breakStore));
});
