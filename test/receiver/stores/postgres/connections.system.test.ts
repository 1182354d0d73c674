import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { createReceiver } from '@hookproof/receiver';
import { postgresStore } from '@hookproof/receiver/postgres';
import { runTimeline, signEvent } from '@hookproof/receiver/testing';
import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';

import { compiledProgram } from '../../../compiled-program.ts';
import { freshDatabase } from '../../../services/databases.ts';
import { describeWith } from '../../../services/local-server.ts';

const PROGRAM = compiledProgram(new URL('programs/handle-runs.ts', import.meta.url));
const SECRET = 'whsec_7hJmKx2QpLw9';
const CUTS = 30;

describeWith('postgres')('a process whose connections are all cut', () => {
  test('goes on, and every event has its effect once', async () => {
    const url = await freshDatabase();
    const pool = new Pool({ connectionString: url, max: 8 });
    onTestFinished(() => pool.end());
    await pool.query(
      'CREATE TABLE effects (number bigserial, event_id text, run_id text, status text)',
    );
    const effects = async (): Promise<string[]> => {
      const { rows } = await pool.query<{ id: string }>('SELECT event_id AS id FROM effects');
      return rows.map(({ id }) => id);
    };
    const ids = await accept(pool, 40 * CUTS);
    const env = { ...process.env, PGAPPNAME: 'handling' };
    const child = spawn(process.execPath, [PROGRAM, url, '60000', '0'], {
      env,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    const closed = once(child, 'close');
    let errors = '';
    child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
    for (let cut = 1; cut <= CUTS && child.exitCode === null; cut += 1) {
      const before = (await effects()).length;
      const hasMore = async (): Promise<boolean> =>
        child.exitCode !== null || (await effects()).length > before;
      await expect.poll(hasMore, { interval: 1 }).toBe(true);
      await pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'handling'`,
      );
    }
    expect(child.exitCode, errors.slice(-2000)).toBe(null);
    await expect.poll(async () => (await effects()).toSorted()).toEqual(ids.toSorted());
    child.stdin.end();
    await closed;
  });
});

/** Accepts runs of one event each, which no process handles yet, and returns the ids of the events. */
async function accept(pool: Pool, count: number): Promise<readonly string[]> {
  const receiver = createReceiver({
    secrets: SECRET,
    store: postgresStore({ pool }),
    handlers: {},
  });
  await receiver.start({ work: false });
  const events = Array.from({ length: count }, (_, index) =>
    runTimeline(['created'], { run: { id: `exec_${index}` } }),
  ).flat();
  const responses = events.map((event) => {
    const { headers, body } = signEvent(event, { secret: SECRET });
    return receiver.receive({ method: 'POST', headers, body });
  });
  for (const { status } of await Promise.all(responses)) expect(status).toBe(202);
  await receiver.close();
  return events.map(({ id }) => id);
}
