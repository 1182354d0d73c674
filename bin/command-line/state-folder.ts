import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns the folder of this program in the user's folder for state. */
export function stateFolder({ XDG_STATE_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv): string {
  return join(XDG_STATE_HOME || LOCALAPPDATA || join(homedir(), '.local', 'state'), 'hookproof');
}
