import type { Screen } from '../../command-line/screen.ts';
import { findServer } from '../../running/find-server.ts';
import { usedServer } from '../../running/running-control.ts';
import type { CheckOptions } from './options/all.ts';

/** Options that show that the user means a target of their own. */
const NAMES_A_TARGET = [
  'baseUrl',
  'appUrl',
  'key',
  'fixtures',
  'controlUrl',
  'controlToken',
  'stepCommand',
  'ask',
  'publicUrl',
  'receiver',
  'observer',
] as const satisfies readonly (keyof CheckOptions)[];

/**
 * Returns the options for the running server of this user if they name no target at all. A server that happens to run
 * is never judged in place of what the user named.
 */
export async function withRunningServer(
  options: CheckOptions,
  screen: Screen,
  environment: NodeJS.ProcessEnv,
): Promise<CheckOptions> {
  if (NAMES_A_TARGET.some((name) => options[name] !== undefined)) return options;
  const server = await findServer(environment['HOOKPROOF_STATE_FILE'] || undefined, environment);
  if (server === null) return options;
  screen.log(usedServer(server));
  return {
    ...options,
    baseUrl: server.baseUrl,
    appUrl: server.appUrl,
    key: server.key,
    controlUrl: server.controlUrl,
    controlToken: server.controlToken,
  };
}
