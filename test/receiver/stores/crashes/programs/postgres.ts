/**
 * Runs the scenario on PostgreSQL and ends by SIGKILL before or after one of the statements that
 * the store sends: `postgres.js URL SCHEMA JOURNAL before|after NUMBER`. It ends by itself when
 * there are fewer.
 */
import { openSync, writeSync } from 'node:fs';

import { postgresStore } from '@hookproof/receiver/postgres';
import { Pool } from 'pg';

import { runScenario } from './scenario.ts';

const [connectionString = '', schema = '', file = '', side, number = ''] = process.argv.slice(2);
const journal = openSync(file, 'a');
const pool = new Pool({ connectionString, max: 5 });
let count = 0;

/** Sends a statement, and ends the process when it is the one. */
async function counted<Result>(send: () => Promise<Result>): Promise<Result> {
  count += 1;
  const isTheOne = count === Number(number);
  if (isTheOne && side === 'before') process.kill(process.pid, 'SIGKILL');
  const result = await send();
  if (isTheOne) process.kill(process.pid, 'SIGKILL');
  return result;
}

type Send = (...statement: readonly unknown[]) => Promise<unknown>;

/**
 * Counts the statements of a pool or a client. The pool itself calls its clients with a callback.
 */
function countStatements(target: object, send: Send): void {
  const query: Send = (...statement) =>
    typeof statement.at(-1) === 'function' ? send(...statement) : counted(() => send(...statement));
  Object.assign(target, { query });
}

countStatements(pool, pool.query.bind(pool));
const wrapped = new WeakSet<object>();
pool.on('acquire', (client) => {
  if (wrapped.has(client)) return;
  wrapped.add(client);
  countStatements(client, client.query.bind(client));
});

const store = postgresStore({ pool, schema });
await runScenario(store, [], (line) => writeSync(journal, `${JSON.stringify(line)}\n`));
await pool.end();
