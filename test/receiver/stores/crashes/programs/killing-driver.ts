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
let transaction: 'none' | 'reads' | 'writes' = 'none';

function pass(): void {
  places += 1;
  if (places === place) process.kill(process.pid, 'SIGKILL');
}

/**
 * There is a place before each statement that can change what is kept, and after each that did: the end of a transaction
 * that writes, and a statement outside of one. After any other statement is before the next.
 */
function step<Result>(sql: string, action: () => Result): Result {
  const isEnd = /COMMIT|ROLLBACK/.test(sql);
  const isBegin = sql.includes('BEGIN');
  if (isBegin) transaction = sql === 'BEGIN' ? 'reads' : 'writes';
  const isKept = transaction === 'none' || (transaction === 'writes' && isEnd);
  if (transaction !== 'reads') pass();
  const result = action();
  if (isKept) pass();
  if (isEnd) transaction = 'none';
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
