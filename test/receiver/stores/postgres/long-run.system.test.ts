import { createProcessor } from '@hookproof/receiver';
import type { RunEvent } from '@hookproof/receiver';
import { postgresStore } from '@hookproof/receiver/postgres';
import { runTimeline } from '@hookproof/receiver/testing';
import { Pool } from 'pg';
import { expect, onTestFinished } from 'vitest';

import { freshDatabase } from '../../../services/databases.ts';
import { testWith } from '../../../services/local-server.ts';
import { rowsRead } from './rows-read.ts';

const EVENTS = 1_000;
/** What is read of jobs, bodies and the event itself, several times each; the whole run would be 1,000. */
const MAX_ROWS_OF_AN_EVENT = 40;

testWith('postgres')('an event of a long run reads few rows', async () => {
  const pool = new Pool({ connectionString: await freshDatabase() });
  onTestFinished(() => pool.end());
  let handled = 0;
  const processor = createProcessor({
    store: postgresStore({ pool }),
    mode: 'ordered',
    // The run goes to and fro, which the order would wait for.
    roundTripGraceMilliseconds: 0,
    handlers: { event: () => void (handled += 1) },
  });
  onTestFinished(() => processor.close());
  await processor.start({ work: false });
  const statuses = Array.from({ length: EVENTS }, (_, place) =>
    place % 2 === 0 ? ('running' as const) : ('waiting' as const),
  );
  const timestamp = Math.floor(Date.now() / 1_000);
  const accept = (event: RunEvent): Promise<unknown> =>
    processor.process({ id: event.id, body: Buffer.from(JSON.stringify(event)), timestamp });
  await Promise.all(runTimeline(statuses).map(accept));
  const before = await rowsRead(pool);
  await processor.work();
  expect(handled).toBe(EVENTS);
  expect((await rowsRead(pool)) - before).toBeLessThan(EVENTS * MAX_ROWS_OF_AN_EVENT);
});
