import type { Screen } from '../../command-line/screen.ts';
import { findServer } from '../../running/find-server.ts';
import type { CheckOptions } from './options/all.ts';

/**
 * Returns the options for the running server of this user if they name no target. An option that was given wins over
 * what was found.
 */
export async function withRunningServer(
  options: CheckOptions,
  screen: Screen,
  environment: NodeJS.ProcessEnv,
): Promise<CheckOptions> {
  const { baseUrl, appUrl, receiver, controlUrl, controlToken } = options;
  const names = [baseUrl, appUrl, receiver, controlUrl, controlToken];
  if (names.some((name) => name !== undefined)) return options;
  const server = await findServer(environment['HOOKPROOF_STATE_FILE'] || undefined, environment);
  if (server === null) return options;
  screen.note(
    `Checking the running server at ${server.baseUrl}, which started at ${server.startedAt}.`,
  );
  return {
    ...options,
    baseUrl: server.baseUrl,
    appUrl: server.appUrl,
    key: options.key ?? server.key,
    controlUrl: server.controlUrl,
    controlToken: server.controlToken,
  };
}
