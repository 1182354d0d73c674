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

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** The ports that the user asked for. */
export interface Ports {
  readonly port: number;
  readonly appPort?: number;
}

/** Turns an error of the operating system into a usage error that names the fix; returns any other error unchanged. */
export function explainStart(error: unknown, ports: Ports): unknown {
  const refused = error instanceof Error && 'port' in error ? error.port : ports.port;
  const isAppPort = refused !== ports.port && refused === ports.appPort;
  const option = isAppPort ? '--app-port' : '--port';
  switch (codeOf(error) ?? '') {
    case 'EADDRINUSE':
      return new UsageError(
        `${option} must be a free port, but port ${String(refused)} is taken by another program. Stop that program, or use ${option} 0 for a free port.`,
      );
    case 'EACCES':
      return new UsageError(
        `This user may not open port ${String(refused)} or the data folder. Use ${option} ${isAppPort ? 4011 : 4010}, or another --data.`,
      );
    default:
      return error;
  }
}
