import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Pool } from 'undici';

import { atMost, callAll, compareRow, milliseconds, percentile } from './bench.ts';
import type { Bench } from './bench.ts';
import { control, startProgram, startReference } from './processes.ts';
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
    const floor = await startProgram('synced-append', folder);
    const stored = await startReference(path.join(folder, 'data'));
    const memory = await startReference();
    for (const { ready } of [stored, memory]) await fillHistory(ready);
    const subjects = [
      { name: 'with --data', ...stored.ready, values: [] as number[] },
      { name: 'in memory', ...memory.ready, values: [] as number[] },
      { ...memory.ready, name: 'bare synced append', ...floor.ready, values: [] as number[] },
    ] as const;
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const subject of subjects) {
        const value = await percentile99(subject);
        if (round >= 0) subject.values.push(value);
      }
    }
    for (const server of [floor, stored, memory]) await server.stop();
    await rm(folder, { recursive: true });
    const [own, inMemory, bare] = subjects;
    return [
      compareRow(own, bare, milliseconds, (_, time) => atMost(100, time)),
      compareRow(inMemory, bare, milliseconds, (_, time) => atMost(20, time)),
    ];
  },
};

async function fillHistory(reference: Reference): Promise<void> {
  const app = createServer((request, response) => {
    request.resume().on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  const { port } = app.address() as AddressInfo;
  await control(reference, '/webhook-endpoints', { url: `http://127.0.0.1:${port}/` });
  await callAll(HISTORY, 32, () => control(reference, '/runs', { status: 'completed' }));
  await control(reference, '/wait', { for: 'idle', timeoutMilliseconds: 60_000 });
  app.closeAllConnections();
  app.close();
}

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
