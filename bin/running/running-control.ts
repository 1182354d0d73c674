import { UsageError } from '../command-line/errors.ts';
import { openScreen } from '../command-line/screen.ts';
import { controlCalls } from './control-calls.ts';
import type { ControlCall } from './control-calls.ts';
import { findServer } from './find-server.ts';
import type { RunningServer } from './server-file.ts';

/** The running server of this user, with its control interface. */
export interface RunningControl extends RunningServer {
  readonly control: ControlCall;
}

/**
 * Returns the running server, and says on standard error which one it is.
 *
 * @param fix - how to do without a running server, as the end of the message
 * @throws {UsageError} if none is running, and by a call that the server refuses
 */
export async function runningControl(fix: string): Promise<RunningControl> {
  const server = await findServer(process.env['HOOKPROOF_STATE_FILE'] || undefined, process.env);
  if (server === null) {
    throw new UsageError(`No local platform is running. ${fix}`);
  }
  openScreen().log(usedServer(server));
  const control = controlCalls(
    server,
    ({ field, message }) => new UsageError(`The server refused the request: ${field} ${message}.`),
  );
  return { ...server, control };
}

/** Returns the line that says which running server a command uses. */
export function usedServer({ baseUrl, startedAt }: RunningServer): string {
  return `Using the running server at ${baseUrl}, which started at ${startedAt}.`;
}
