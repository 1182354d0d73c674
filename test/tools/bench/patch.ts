import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Pool } from 'undici';

import { atMost, callAll, compareRow, inRounds, milliseconds, percentile } from './bench.ts';
import type { Bench } from './bench.ts';
import { control, startReference, startServer } from './processes.ts';
import type { Reference } from './processes.ts';

const CLIENTS = 64;
const REQUESTS = 5_000;
const ROUNDS = 5;
/** More ended runs, each with a settled delivery, than a world retains. */
const HISTORY = 1_200;

/** Clients move a workflow at the same time. The floor gets the same requests from the same clients. */
export const patch: Bench = {
  title: `PATCH of a workflow, ${CLIENTS} clients, full history, 99th percentile`,
  async run() {
    const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-bench-'));
    const floor = await startServer('synced append', folder);
    const stored = await startReference(path.join(folder, 'data'));
    const memory = await startReference();
    const app = await startServer('bare');
    for (const { ready } of [stored, memory]) {
      await control(ready, '/webhook-endpoints', { url: `${app.ready.baseUrl}/` });
      await callAll(HISTORY, 32, () => control(ready, '/runs', { status: 'completed' }));
      await control(ready, '/wait', { for: 'idle', timeoutMilliseconds: 60_000 });
    }
    const [own, inMemory, bare] = await inRounds(
      ROUNDS,
      ['with --data', () => percentile99(stored.ready)],
      ['in memory', () => percentile99(memory.ready)],
      ['bare synced append', () => percentile99({ ...memory.ready, ...floor.ready })],
    );
    for (const server of [floor, stored, memory, app]) await server.stop();
    await rm(folder, { recursive: true });
    return [
      compareRow(own, bare, milliseconds, (_, time) => atMost(100, time)),
      compareRow(inMemory, bare, milliseconds, (_, time) => atMost(20, time)),
    ];
  },
};

async function percentile99({ baseUrl, key, fixtures }: Reference): Promise<number> {
  const pool = new Pool(baseUrl, { connections: CLIENTS });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const { times } = await callAll(REQUESTS, CLIENTS, async (index) => {
    const { statusCode, body } = await pool.request({
      method: 'PATCH',
      path: `/v1/automations/${fixtures.workflowId}`,
      headers,
      body: JSON.stringify({ folderId: index % 2 === 0 ? fixtures.folderId : null }),
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`PATCH must get 200, got ${statusCode}: ${text}`);
  });
  await pool.close();
  return percentile(times, 0.99);
}
