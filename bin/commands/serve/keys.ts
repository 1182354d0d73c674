import { once } from 'node:events';

import type { ReferenceServer } from '@hookproof/server-reference';
import type { Delivery } from '@hookproof/spec/control';

import { UsageError } from '../../command-line/errors.ts';
import { readKeys } from '../../command-line/keys.ts';
import type { Screen } from '../../command-line/screen.ts';
import { controlCalls } from '../../running/control-calls.ts';
import type { ControlCall } from '../../running/control-calls.ts';
import { openBrowser } from './open-browser.ts';

export const KEYS_LINE = 'Keys: t trigger, r redeliver the last, o dashboard, v more, q quit.';

export interface KeyOptions {
  readonly server: ReferenceServer;
  readonly screen: Screen;
  /** What `v` prints. */
  readonly details: readonly string[];
}

/** The keys of a terminal while they are read. */
export interface Keys {
  /** Resolves at `q` or Ctrl-C. */
  readonly quit: Promise<void>;
  readonly end: () => void;
}

/** Does what the keys of the terminal ask for. */
export function listenToKeys(options: KeyOptions): Keys {
  const { screen } = options;
  const control = controlCalls(
    options.server,
    ({ field, message }) => new UsageError(`The server refused the request: ${field} ${message}.`),
  );
  const quit = new AbortController();
  const stop = (): void => quit.abort();
  const pressed = (key: string): void => {
    if (key === 'q') return stop();
    perform(key, control, options).catch((error: unknown) => {
      screen.print(screen.paint.red(error instanceof Error ? error.message : String(error)));
    });
  };
  const end = readKeys(process.stdin, { stop, pressed });
  return { end, quit: once(quit.signal, 'abort').then(() => {}) };
}

async function perform(
  key: string,
  control: ControlCall,
  { server, screen, details }: KeyOptions,
): Promise<void> {
  switch (key) {
    case 'o':
      return openBrowser(server.dashboardUrl);
    case 'v':
      return details.forEach((line) => screen.print(line));
    case 't':
      return triggerRun(server, control);
    case 'r':
      return redeliverLast(control);
    default:
      if (/[a-z?]/.test(key)) screen.print(KEYS_LINE);
  }
}

/** The log of the server shows the attempts, and what the app responded. */
async function triggerRun(server: ReferenceServer, control: ControlCall): Promise<void> {
  const { sendCompletedRun } = await import('../trigger/send-completed-run.ts');
  const { baseUrl, controlUrl, controlToken } = server;
  await sendCompletedRun({ baseUrl, controlUrl, controlToken, control });
}

async function redeliverLast(control: ControlCall): Promise<void> {
  const path = '/deliveries?order=newest&limit=1';
  const { data } = await control<{ data: Delivery[] }>('GET', path);
  const [last] = data;
  if (last === undefined) throw new UsageError('There is no delivery yet. Press t for a run.');
  await control('POST', `/deliveries/${last.id}/redeliver`, {});
}
