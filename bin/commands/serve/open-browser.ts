import { spawn } from 'node:child_process';

import type { Screen } from '../../command-line/screen.ts';

/** The program of each system that opens a URL in the user's browser. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a URL in the user's browser. If that is impossible, prints a warning. */
export function openBrowser(url: string, screen: Pick<Screen, 'log'>): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(command, [...args, url], { detached: true, stdio: 'ignore' });
  opener.once('error', ({ message }) => {
    screen.log(`warning: --open found no browser (${message}). Open ${url}`);
  });
  // The browser outlives the server.
  opener.unref();
}
