import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { Store } from '@hookproof/receiver';
import { postgresStore } from '@hookproof/receiver/postgres';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import type * as Pg from 'pg';

import { UsageError } from '../../command-line/errors.ts';

/** What names a store apart from its address. */
export interface StoreNames {
  /** The option `schema` of `postgresStore()`. */
  readonly schema?: string;
}

/** A store that somebody else's app fills, and its connections. */
interface NamedStore {
  readonly store: Store;
  readonly disconnect: () => Promise<unknown>;
}

const CONNECTIONS = 4;

/** Finds the store of an address. It creates neither a file nor tables. */
export function storeAt(address: string, names: StoreNames): NamedStore {
  // The drive of a path of Windows has one letter.
  const [, kind, rest = ''] = /^([a-z]{2,}):(.*)$/s.exec(address) ?? [];
  if (kind === undefined) return sqliteAt(address);
  if (kind === 'sqlite') return sqliteAt(rest.replace(/^\/\/(?=\/)/, ''));
  if (kind === 'postgres' || kind === 'postgresql') return postgresAt(address, names);
  throw new UsageError(
    `--store must be a file of SQLite or postgres://…, got ${kind}:. An example is --store events.db.`,
  );
}

function sqliteAt(file: string): NamedStore {
  if (!existsSync(file)) {
    // What looks like a URL may have a password.
    const shown = /:\/\/|@/.test(file) ? 'file of this name' : file;
    throw new UsageError(
      `--store must be the file of a store, but there is no ${shown}. Name the file of sqliteStore({ file }), or postgres://….`,
    );
  }
  if (!hasTables(file)) {
    throw new UsageError(
      `--store must be the file of a store, but ${file} has no tables of one. Name the file of sqliteStore({ file }).`,
    );
  }
  return { store: sqliteStore({ file }), disconnect: async () => {} };
}

/** Where SQLite keeps the application of a file, and what the store writes there with its tables. */
const APPLICATION = { start: 68, name: 'hkpf' } as const;

/** Opening a store would create the tables. As long as they are in the log alone, the store itself looks for them. */
function hasTables(file: string): boolean {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0) return true;
  const { start, name } = APPLICATION;
  const header = Buffer.alloc(start + name.length);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, header, 0, header.length, 0);
  } finally {
    closeSync(handle);
  }
  return header.toString('latin1', start) === name;
}

function postgresAt(connectionString: string, { schema }: StoreNames): NamedStore {
  const { Pool } = driver('pg');
  const pool = new Pool({ connectionString, max: CONNECTIONS });
  // The store reports what fails; without a listener the process would end.
  pool.on('error', () => {});
  const store = postgresStore({
    pool,
    createTables: false,
    ...(schema !== undefined && { schema }),
  });
  return { store, disconnect: () => pool.end() };
}

interface Drivers {
  readonly pg: typeof Pg;
}

/** Loads a driver of the working folder, or one beside this program. */
function driver<Name extends keyof Drivers>(name: Name): Drivers[Name] {
  for (const place of [join(process.cwd(), 'package.json'), import.meta.url]) {
    try {
      const loaded: Drivers[Name] = createRequire(place)(name);
      return loaded;
    } catch (error) {
      const isMissing =
        error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
      if (!isMissing) throw error;
    }
  }
  throw new UsageError(
    `This store requires the package ${name}, which is not here. Run npm install ${name}.`,
  );
}
