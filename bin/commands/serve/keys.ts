import { once } from 'node:events';

import type { ReferenceServer } from '@hookproof/server-reference';

import { UsageError } from '../../command-line/errors.ts';
import { readKeys } from '../../command-line/keys.ts';
import type { Screen } from '../../command-line/screen.ts';
import { controlCalls } from '../../running/control-calls.ts';
import type { ControlCall } from '../../running/control-calls.ts';
import { deliveryOf, LAST } from '../../running/delivery.ts';
import { openBrowser } from './open-browser.ts';

export const KEYS_LINE = 'Keys: t trigger, r redeliver the last, o dashboard, v more, q quit.';

interface KeyOptions {
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
  let isHelpShown = false;
  const pressed = (key: string): void => {
    if (quit.signal.aborted) return;
    if (key === 'q') return stop();
    const action = ACTIONS.get(key);
    if (action === undefined) {
      // Once until a key is found: a cat on the keyboard needs no more.
      if (!isHelpShown && /[a-z?]/.test(key)) screen.print(KEYS_LINE);
      isHelpShown = true;
      return;
    }
    isHelpShown = false;
    void perform(action);
  };
  const perform = async (action: Action): Promise<void> => {
    try {
      await action(control, options);
    } catch (error) {
      // The server closes before the last calls have their responses.
      if (quit.signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      screen.print(screen.paint.red(message));
    }
  };
  const end = readKeys(process.stdin, { stop, pressed });
  return { end, quit: once(quit.signal, 'abort').then(() => {}) };
}

type Action = (control: ControlCall, options: KeyOptions) => Promise<void> | void;

const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['o', (_, { server, screen }) => openBrowser(server.dashboardUrl, screen)],
  ['r', (control, { server }) => redeliverLast(control, server)],
  ['t', triggerRun],
  ['v', (_, { screen, details }) => details.forEach((line) => screen.print(line))],
]);

/** The log of the server shows the attempts, and what the app responded. */
async function triggerRun(control: ControlCall): Promise<void> {
  await control('POST', '/scenarios', { scenario: 'completed' });
}

async function redeliverLast(control: ControlCall, server: ReferenceServer): Promise<void> {
  const { id } = await deliveryOf(LAST, server);
  await control('POST', `/deliveries/${id}/redeliver`, {});
}
