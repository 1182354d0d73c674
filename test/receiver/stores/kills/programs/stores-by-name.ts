import type { Store } from '@hookproof/receiver';
import { postgresStore } from '@hookproof/receiver/postgres';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { Pool } from 'pg';

/** The durable stores by name. `address` is a file or the URL of a server. */
export const STORES: Readonly<Record<string, (address: string) => Store>> = {
  sqlite: (file) => sqliteStore({ file }),
  postgres: (url) => postgresStore({ pool: new Pool({ connectionString: url, max: 20 }) }),
};
