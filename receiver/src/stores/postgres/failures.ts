import { StoreError } from '../store-error.ts';
import type { Query } from './driver.ts';

const MAX_TRIES = 10;

/** Another transaction was in the way: the statement did nothing, and may succeed when repeated. */
const IN_THE_WAY = new Set(['40001', '40P01']);

/**
 * Returns the SQLSTATE of an error of any client library; null for others, such as a lost
 * connection.
 */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null;
}

/**
 * Returns true when the fault is in the statement or its values, and not in the server or the
 * network.
 */
export function isAboutStatement(error: unknown): boolean {
  const state = sqlState(error);
  return state !== null && !/^(?:08|53|57|58|XX)/.test(state);
}

/** Repeats statements that another transaction was in the way of. */
export function withRetries(query: Query): Query {
  return async (...statement) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await query(...statement);
      } catch (error) {
        if (tries === MAX_TRIES || !IN_THE_WAY.has(sqlState(error) ?? '')) throw error;
      }
    }
  };
}

/** Returns the error that the store's caller gets. The message of a server contains no values. */
export function unavailable(cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const state = sqlState(cause);
  const why = cause instanceof Error && cause.message !== '' ? cause.message : 'no connection';
  return new StoreError(
    'store_unavailable',
    `PostgreSQL must execute the statements of the store, got: ${why}${state === null ? '' : ` (${state})`}. ${fixOf(state)}`,
    { cause: withoutValues(cause) },
  );
}

/**
 * Copies an error without the values of its statement, which client libraries attach: the bodies.
 */
function withoutValues(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return undefined;
  const { name, message, stack } = thrown;
  const code = 'code' in thrown ? { code: thrown.code } : {};
  return Object.assign(new Error(message), { name, stack }, code);
}

function fixOf(state: string | null): string {
  if (state === '55P03') {
    return 'A transaction holds the row of this run: call settleWith() last, and commit soon.';
  }
  if (state === '42501') {
    return (
      'The role needs USAGE on the schema and its sequences, and SELECT, INSERT, UPDATE and DELETE on its tables. ' +
      'To create the tables it needs CREATE on the schema, and to create the schema CREATE on the database.'
    );
  }
  if (state === '42P01' || state === '3F000') return 'Open the store without createTables: false.';
  if (state === '53300') return 'Raise max_connections, or lower the size of the pools.';
  return 'Check the address, the server and its log.';
}
