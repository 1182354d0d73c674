import { UsageError } from './usage-error.ts';

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** The ports that were asked for. */
interface Ports {
  readonly port: number;
  readonly appPort?: number;
}

/** Turns a refusal of the operating system into a sentence that names the fix. */
export function explainStart(error: unknown, ports: Ports): unknown {
  const taken = error instanceof Error && 'port' in error ? error.port : ports.port;
  const port = String(taken);
  const option = taken !== ports.port && taken === ports.appPort ? '--app-port' : '--port';
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new UsageError(
        `port ${port} is taken by another program: stop it, or use ${option} 0 for a free port.`,
      );
    case 'EACCES':
      return new UsageError(
        `port ${port} or the data folder is not open to this user: use ${option} ${option === '--port' ? 4010 : 4011}, or another --data.`,
      );
    default:
      return error;
  }
}
