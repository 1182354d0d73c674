import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { START } from '../../server-reference/lab/control/control-client.ts';
import { PlatformError } from './stand-in.ts';
import { openClientWorld } from './worlds.ts';
import type { ClientWorld } from './worlds.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createServer({ store: { kind: 'memory' }, clock: virtualClock({ now: START }) });
});
afterAll(() => server.close());

const FAULTS = {
  'status 429': { status: 429, retryAfter: 2 },
  'status 500': { status: 500 },
  'status 503': { status: 503, retryAfter: 2 },
  'a reset connection': { reset: true },
} as const;

/** The waits of three repetitions, by client and fault. */
const DOUBLING = [250, 500, 1000];
const WAITS = {
  A: {
    'status 429': [2000, 2000, 2000],
    'status 500': DOUBLING,
    'status 503': [2000, 2000, 2000],
    'a reset connection': DOUBLING,
  },
  B: {
    'status 429': DOUBLING,
    'status 500': DOUBLING,
    'status 503': DOUBLING,
    'a reset connection': DOUBLING,
  },
};

const rows = (['A', 'B'] as const).flatMap((name) =>
  (Object.keys(FAULTS) as (keyof typeof FAULTS)[]).map((fault) => [name, fault] as const),
);

async function inject({ control, world }: ClientWorld, fault: object, times: number) {
  const match = { key: world.keys.wildcard, method: 'POST' };
  await control.expectOk(201, '/api-faults', { match, times, effect: fault });
}

async function runCount({ client }: ClientWorld): Promise<number> {
  return (await client.call('GET', '/runs?limit=1')).body.total;
}

describe('repetitions', () => {
  test.each(rows)('client %s starts one run after three times %s', async (name, fault) => {
    const opened = await openClientWorld(server, name);
    const before = await runCount(opened);
    await inject(opened, FAULTS[fault], 3);
    const { body } = await opened.client.call('POST', '/runs', {
      target: opened.world.fixtures.workflowId,
    });
    expect(body.id).toMatch(/^exec_/);
    expect(opened.waits).toEqual(WAITS[name][fault]);
    expect(await runCount(opened)).toBe(before + 1);
  });

  test.each(rows)('client %s starts no run if %s comes four times', async (name, fault) => {
    const opened = await openClientWorld(server, name);
    const before = await runCount(opened);
    await inject(opened, FAULTS[fault], 4);
    const started = opened.client.call('POST', '/runs', {
      target: opened.world.fixtures.workflowId,
    });
    await expect(started).rejects.toSatisfy((error: unknown) =>
      fault === 'a reset connection'
        ? error instanceof TypeError
        : error instanceof PlatformError && String(error.status) === fault.slice(-3),
    );
    expect(await runCount(opened)).toBe(before);
  });
});
