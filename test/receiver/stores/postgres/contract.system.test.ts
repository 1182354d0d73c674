import { postgresStore } from '@hookproof/receiver/postgres';
import { storeContract } from '@hookproof/receiver/store-contract';
import { Pool } from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, test } from 'vitest';

import { freshDatabase } from '../../../services/databases.ts';
import { describeWith } from '../../../services/local-server.ts';

let schemas = 0;

/** Each test of the contract has a schema of its own. */
function newSchema(): string {
  schemas += 1;
  return `contract_${schemas}`;
}

describeWith('postgres')('postgresStore with pg', () => {
  let pool: Pool;
  beforeAll(async () => {
    pool = new Pool({ connectionString: await freshDatabase() });
  });
  afterAll(() => pool.end());

  storeContract({ test, create: () => postgresStore({ pool, schema: newSchema() }) });
});

describeWith('postgres')('postgresStore with postgres', () => {
  let sql: postgres.Sql;
  beforeAll(async () => {
    sql = postgres(await freshDatabase());
  });
  afterAll(() => sql.end());

  storeContract({ test, create: () => postgresStore({ sql, schema: newSchema() }) });
});
