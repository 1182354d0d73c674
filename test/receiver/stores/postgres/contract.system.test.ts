import { postgresStore } from '@hookproof/receiver/postgres';
import { Pool } from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll } from 'vitest';

import { freshDatabase } from '../../../services/databases.ts';
import { describeWith } from '../../../services/local-server.ts';
import { storeContract } from '../contract/store-contract.ts';

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

  storeContract({ create: () => postgresStore({ pool, schema: newSchema() }) });
});

describeWith('postgres')('postgresStore with postgres', () => {
  let sql: postgres.Sql;
  beforeAll(async () => {
    sql = postgres(await freshDatabase());
  });
  afterAll(() => sql.end());

  storeContract({ create: () => postgresStore({ sql, schema: newSchema() }) });
});
