import { rm } from 'node:fs/promises';

import { Client } from 'undici';

import { atMost } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { filledFolder } from './filled-folder.ts';
import type { Tables } from './filled-folder.ts';
import { median } from './median.ts';
import { startReference } from './server-process.ts';

const SIZES = [1_000, 100_000] as const;
const ROUNDS = 300;
const PAGES = [
  ['a page of the inbox', '/v1/dataset-review-requests', 0],
  ['its middle page', '/v1/dataset-review-requests', 0.5],
  ['a page with status=', '/v1/dataset-review-requests?status=open,paused', 0],
  ['a page of the agents', '/api/v1/agents', 0],
  ['a page with search=', '/api/v1/agents?search=Quote', 0],
  ['a page of the templates', '/v1/templates', 0],
  ['a page of the runs', '/v1/runs', 0],
  ['its middle page', '/v1/runs', 0.5],
  ['a page with status=', '/v1/runs?status=completed,failed', 0],
  ['a page of the automations', '/v1/automations', 0],
  ['a page with type=', '/v1/automations?type=workflow', 0],
] as const;
const KINDS = ['agents', 'automations', 'reviewRequests', 'runs', 'templates'] as const;

/** Measures how the length of a list affects the time for one page. */
export const listPage: Bench = {
  title: 'list page of 50 with 100,000 entries, compared with 1,000, median',
  async run() {
    const rows: Row[] = [];
    const [short, long] = [await startFilled(SIZES[0]), await startFilled(SIZES[1])];
    for (const [what, address, part] of PAGES) {
      const times = { short: [] as number[], long: [] as number[] };
      for (let round = -50; round < ROUNDS; round += 1) {
        const ofShort = await short.milliseconds(address, part);
        const ofLong = await long.milliseconds(address, part);
        if (round < 0) continue;
        times.short.push(ofShort);
        times.long.push(ofLong);
      }
      const ratio = median(times.long) / median(times.short);
      rows.push({
        what,
        measured: `${median(times.long).toFixed(2)} ms`,
        against: `at 1,000 ${median(times.short).toFixed(2)} ms`,
        ratio,
        bar: atMost(1.2, ratio),
      });
    }
    await Promise.all([short.stop(), long.stop()]);
    return rows;
  },
};

async function startFilled(size: number) {
  const { folder } = await filledFolder((tables, { tenantId }) => {
    for (const kind of KINDS) fill(tables, kind, tenantId, size);
  });
  const server = await startReference({ kind: 'folder', path: folder });
  const client = new Client(server.ready.baseUrl);
  const headers = { authorization: `Bearer ${server.ready.key}` };
  return {
    async milliseconds(address: string, part: number): Promise<number> {
      const path = `${address}${address.includes('?') ? '&' : '?'}offset=${size * part}`;
      const start = performance.now();
      const { statusCode, body } = await client.request({ method: 'GET', path, headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${path} got ${statusCode}`);
      return performance.now() - start;
    },
    async stop(): Promise<void> {
      await client.close();
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * Adds copies of the tenant's records with equal times, so that they are ordered by ID. Runs that have not
 * ended are excluded, because the server would continue them.
 */
function fill(tables: Tables, kind: (typeof KINDS)[number], tenantId: string, size: number): void {
  const table = tables[kind] ?? [];
  const seeded = table
    .filter((one) => one.tenantId === tenantId)
    .filter((one) => !('completedAt' in one) || one.completedAt !== null);
  const emptied = kind === 'reviewRequests' ? { items: [], events: [] } : {};
  table.splice(0, table.length, ...table.filter((one) => one.tenantId !== tenantId));
  for (let index = 0; index < size; index += 1) {
    table.push({
      ...seeded[index % seeded.length],
      ...emptied,
      id: `bench_${String(index).padStart(6, '0')}`,
      tenantId,
      createdAt: '2026-01-01T00:00:00.000Z',
    });
  }
}
