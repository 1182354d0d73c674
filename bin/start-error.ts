import { UsageError } from './usage-error.ts';

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Turns a refusal of the operating system into a sentence that names the fix. */
export function explainStart(error: unknown, port: number): unknown {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new UsageError(
        `port ${port} is taken by another program: stop it, or use --port 0 for a free port.`,
      );
    case 'EACCES':
      return new UsageError(
        `port ${port} or the data folder is not open to this user: use --port 4010, or another --data.`,
      );
    default:
      return error;
  }
}
