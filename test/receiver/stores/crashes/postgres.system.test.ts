import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { postgresStore } from '@hookproof/receiver/postgres';
import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';

import { compiledProgram } from '../../../compiled-program.ts';
import { emptyFolder } from '../../../empty-folder.ts';
import { freshDatabase } from '../../../services/databases.ts';
import { describeWith } from '../../../services/local-server.ts';
import { countPlaces } from './count-places.ts';
import { linesOf, reviewCrash } from './review-crash.ts';
import { runScenario } from './programs/scenario.ts';

const PROGRAM = compiledProgram(new URL('programs/postgres.ts', import.meta.url));
/** Kills a process on one side of each statement that it sends, and returns how many there are. */
async function crashAtEach(side: 'before' | 'after'): Promise<number> {
  const url = await freshDatabase();
  const pool = new Pool({ connectionString: url, max: 19 });
  onTestFinished(() => pool.end());
  const folder = emptyFolder();

  /** Kills one process at a statement, goes on where it ended, and returns whether it was killed. */
  return countPlaces(async (number) => {
    const schema = `crash_${number}`;
    const journal = join(folder, String(number));
    writeFileSync(journal, '');
    const args = [PROGRAM, url, schema, journal, side, String(number)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    const [code, signal] = await once(child, 'exit');
    expect(signal ?? code, `statement ${number}`).toBe(signal === null ? 0 : 'SIGKILL');
    const killed = linesOf(readFileSync(journal, 'utf8'));
    // Leases of a process that is gone expire after their time, which has passed here.
    await pool.query(
      `DO $$ BEGIN UPDATE ${schema}.jobs SET due_at = now() WHERE holder IS NOT NULL;
       EXCEPTION WHEN undefined_table OR invalid_schema_name THEN NULL; END $$`,
    );
    const store = postgresStore({ pool, schema });
    await runScenario(store, killed, (line) => {
      appendFileSync(journal, `${JSON.stringify(line)}\n`);
    });
    const all = linesOf(readFileSync(journal, 'utf8'));
    const events = await pool.query<{ id: string; state: string }>(
      `SELECT id, state FROM ${schema}.events ORDER BY id`,
    );
    expect(
      reviewCrash(killed, all.slice(killed.length), events.rows),
      `${side} statement ${number}`,
    ).toEqual([]);
    return signal !== null;
  });
}

describeWith('postgres')('a process that is killed at each statement that it sends', () => {
  test.each(['before', 'after'] as const)(
    'loses nothing, and handles nothing else again: %s',
    async (side) => {
      expect(await crashAtEach(side)).toBeGreaterThan(40);
    },
  );
});
