import { StoreError } from '../store-error.ts';
import type { StoreErrorCode } from '../store-error.ts';

/** A failure in a form that can be sent between threads. */
export interface Failure {
  readonly code: StoreErrorCode;
  readonly message: string;
  /** What SQLite or the system said; the cause of the error that the caller gets. */
  readonly why: string;
}

/** The primary result codes of SQLite that have a message of their own. */
const RESULT = { busy: 5, locked: 6, corrupt: 11, notADatabase: 26 } as const;

/** Returns true for the error that SQLite throws while another process locks the file. */
export function isLocked(error: unknown): boolean {
  const code = resultCode(error);
  return code === RESULT.busy || code === RESULT.locked;
}

/** Describes why the file cannot be used, with what to do about it. */
export function describeFailure(file: string, error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error);
  if (error instanceof StoreError) return { code: error.code, message: why, why };
  return { code: 'store_unavailable', message: `SQLite file ${file} ${remedy(error, why)}`, why };
}

function remedy(error: unknown, why: string): string {
  if (isLocked(error)) {
    return (
      `must be free for writing within 5 s, got: ${why}. ` +
      'End the backup or the shell that keeps a transaction open.'
    );
  }
  const code = resultCode(error);
  if (code === RESULT.corrupt || code === RESULT.notADatabase) {
    return (
      `must be an intact SQLite database, got: ${why}. ` +
      'Restore it with its -wal file from a backup, or move it away to begin with an empty one.'
    );
  }
  return `must be readable and writable, got: ${why}. Check that its folder exists, its permissions and the disk space.`;
}

function resultCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : null;
}
