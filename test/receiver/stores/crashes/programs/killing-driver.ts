/**
 * Takes the place of the driver of SQLite in a copy of the package: it ends the process by SIGKILL at the place that
 * `KILL_AT` names by its number. The thread that has the file open loads nothing else.
 */
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

const place = Number(process.env['KILL_AT']);
let places = 0;
let isReading = false;

function pass(): void {
  if (isReading) return;
  places += 1;
  if (places === place) process.kill(process.pid, 'SIGKILL');
}

/**
 * There is a place before each statement, and one after each that ends a transaction: after another one the thread
 * does nothing until the next. A transaction that only reads is one place, because it changes nothing.
 */
function step<Result>(sql: string, action: () => Result): Result {
  pass();
  isReading ||= sql === 'BEGIN';
  const result = action();
  if (/COMMIT|ROLLBACK/.test(sql)) {
    isReading = false;
    pass();
  }
  return result;
}

function killing(database: Database): Database {
  return {
    exec: (sql) => step(sql, () => database.exec(sql)),
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        run: (...values) => step(sql, () => statement.run(...values)),
        get: (...values) => step(sql, () => statement.get(...values)),
        all: (...values) => step(sql, () => statement.all(...values)),
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
  return (file) => killing(open(file));
}
