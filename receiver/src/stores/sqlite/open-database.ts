import type { Clock } from '../../clock.ts';
import { StoreError } from '../store-error.ts';
import type { Database, OpenDatabase } from './driver.ts';
import { isLocked } from './locked.ts';
import { SCHEMA } from './schema.ts';

const MOST_TRIES = 250;
const PAUSE_MILLISECONDS = 20;

/**
 * Opens the file for durable writes. Two processes that open a new file at once make SQLite answer
 * "database is locked" to the change of journal mode without waiting, hence the tries.
 */
export async function openDatabase(
  open: OpenDatabase,
  file: string,
  clock: Clock,
): Promise<Database> {
  for (let tries = 1; ; tries += 1) {
    try {
      return prepared(open(file));
    } catch (cause) {
      if (!isLocked(cause) || tries === MOST_TRIES) throw cannotOpen(file, cause);
      await new Promise<void>((resolve) => {
        clock.setTimeout(resolve, PAUSE_MILLISECONDS);
      });
    }
  }
}

function prepared(database: Database): Database {
  try {
    database.exec('PRAGMA busy_timeout = 0');
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    database.exec('PRAGMA cache_size = -65536');
    database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function cannotOpen(file: string, cause: unknown): StoreError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StoreError(
    'store_unavailable',
    `Cannot open the SQLite file ${file}: ${why}. Its folder must exist and be writable.`,
    { cause },
  );
}
