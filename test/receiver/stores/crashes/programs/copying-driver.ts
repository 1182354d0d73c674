/**
 * Takes the place of the driver of SQLite in a copy of the package: before and after each statement it copies the folder
 * of the file to `PLACES`, unless nothing in it has changed. A SIGKILL there would leave just that. A copy releases the
 * locks of the file, which nobody else has open.
 */
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Statement {
  run(...values: readonly unknown[]): unknown;
  get(...values: readonly unknown[]): unknown;
  all(...values: readonly unknown[]): unknown;
}

interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

type OpenDatabase = (file: string) => Database;

let places = 0;
let copied = '';

function keep(folder: string): void {
  const hash = createHash('sha256');
  // SQLite makes its shared memory anew after a crash.
  for (const name of readdirSync(folder).filter((one) => !one.endsWith('-shm'))) {
    hash.update(name).update(readFileSync(join(folder, name)));
  }
  const digest = hash.digest('hex');
  if (digest === copied) return;
  copied = digest;
  places += 1;
  cpSync(folder, join(process.env['PLACES'] ?? '', String(places)), { recursive: true });
}

function copying(database: Database, folder: string): Database {
  function step<Result>(action: () => Result): Result {
    keep(folder);
    const result = action();
    keep(folder);
    return result;
  }
  return {
    exec: (sql) => step(() => database.exec(sql)),
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        run: (...values) => step(() => statement.run(...values)),
        get: (...values) => step(() => statement.get(...values)),
        all: (...values) => step(() => statement.all(...values)),
      };
    },
    close: () => database.close(),
  };
}

export async function loadDriver(): Promise<OpenDatabase> {
  const original: { loadDriver: () => Promise<OpenDatabase> } = await import(
    new URL('./original-driver.js', import.meta.url).href
  );
  const open = await original.loadDriver();
  return (file) => copying(open(file), dirname(file));
}
