import { StoreError } from '../store-error.ts';

export type SqlValue = null | number | string | Uint8Array;
export type SqlRow = Readonly<Record<string, unknown>>;

/** The part of `node:sqlite` that the store uses. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export interface Statement {
  run(...values: SqlValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  get(...values: SqlValue[]): SqlRow | undefined;
  all(...values: SqlValue[]): SqlRow[];
}

/** Opens a database file, which is created if necessary. */
export type OpenDatabase = (file: string) => Database;

/** In order of preference. Both have the same interface; Node.js before 22.13 lacks the first. */
const DRIVERS: readonly string[] = ['node:sqlite', '@photostructure/sqlite'];

/**
 * Loads the first driver that is installed. It runs when a store opens, so that apps with another
 * store need no SQLite.
 *
 * @throws {StoreError} `store_driver_missing`.
 */
export async function loadDriver(drivers: readonly string[] = DRIVERS): Promise<OpenDatabase> {
  const failures: unknown[] = [];
  for (const name of drivers) {
    try {
      const driver: unknown = await import(name);
      if (isDriver(driver)) return (file) => new driver.DatabaseSync(file);
      failures.push(new TypeError(`${name} has no DatabaseSync`));
    } catch (cause) {
      failures.push(cause);
    }
  }
  throw new StoreError(
    'store_driver_missing',
    'The SQLite store requires SQLite. Run on Node.js 22.13 or later, which contains it, ' +
      'or run: npm install @photostructure/sqlite@1.',
    { cause: new AggregateError(failures) },
  );
}

function isDriver(module: unknown): module is { DatabaseSync: new (file: string) => Database } {
  return (
    typeof module === 'object' &&
    module !== null &&
    'DatabaseSync' in module &&
    typeof module.DatabaseSync === 'function'
  );
}
