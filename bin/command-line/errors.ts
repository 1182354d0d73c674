import { CommanderError } from 'commander';

import { visible } from './visible.ts';

const EXIT_CODE_USAGE = 2;
/** An error of the program itself. */
export const EXIT_CODE_UNEXPECTED = 5;

/** A mistake in how a command was called: printed without a stack, exit code 2. */
export class UsageError extends Error {
  readonly code = 'usage';
  override readonly name = 'UsageError';
}

/** Returns the exit code for an error that ended a command. Help and version are not errors. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const isUsage = error instanceof CommanderError || error instanceof UsageError;
  return isUsage ? EXIT_CODE_USAGE : EXIT_CODE_UNEXPECTED;
}

/** Returns what to print about an error. Only an error without a code shows its stack. */
export function messageOf(error: unknown): string {
  // Commander has already printed its own.
  if (error instanceof CommanderError) return '';
  if (!(error instanceof Error)) return `error: ${String(error)}\n`;
  const text = codeOf(error) === null ? (error.stack ?? error.message) : error.message;
  return visible(`error: ${text}\n`);
}

/** Returns the stable code of an error; null without one. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** The address that the user asked for. */
export interface Address {
  readonly host?: string;
  readonly port: number;
  readonly appPort?: number;
}

/**
 * Turns an error of the operating system or of the data folder into a usage error that names the fix; returns any other
 * error unchanged.
 *
 * @param holder - the program that has the port
 */
export function explainStart(
  error: unknown,
  address: Address,
  holder: string = 'another program',
): unknown {
  const refused = refusedPort(error) ?? address.port;
  const isAppPort = refused !== address.port && refused === address.appPort;
  const option = isAppPort ? '--app-port' : '--port';
  const code = codeOf(error) ?? '';
  if (code === 'EADDRINUSE') {
    return new UsageError(
      `Port ${refused} is taken by ${holder}. Stop that program, or use ${option} 0 for a free port.`,
    );
  }
  if (code === 'EACCES') {
    return new UsageError(
      `This user may not open port ${refused} or the data folder. Use ${option} ${isAppPort ? 4011 : 4010}, or another --data.`,
    );
  }
  if (OF_THE_HOST.has(code)) {
    return new UsageError(
      `--host must be an address of this machine, such as 127.0.0.1 or 0.0.0.0, got ${address.host} (${code}).`,
    );
  }
  const isOfFolder = error instanceof Error && code.startsWith('store_');
  return isOfFolder ? new UsageError(error.message) : error;
}

/** The errors of the operating system for a name without an address, and for the address of another machine. */
const OF_THE_HOST: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EAI_AGAIN',
  'EINVAL',
  'ENODATA',
  'ENOTFOUND',
]);

/** Returns the port that an error of the operating system is about; null for another error. */
export function refusedPort(error: unknown): number | null {
  const port = error instanceof Error && 'port' in error ? error.port : null;
  return typeof port === 'number' ? port : null;
}
