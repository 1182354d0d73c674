/**
 * The dashboard: a page over the control interface. `shell` is the frame around every page, `pages` has one folder for
 * each entry of the rail, and `pages/pages.ts` says how to add one. `parts` are the components that pages share, `rows` keeps
 * lists that follow the stream, `live` reads the stream, and `control` calls the control interface.
 */
import { render } from 'preact';

import { startClock } from './live/clock.ts';
import { startConnection } from './live/connection.ts';
import { PAGES } from './pages/pages.ts';
import { showControlCharacters } from './parts/visible-text.ts';
import { startFaults } from './rows/faults.ts';
import { App } from './shell/app.tsx';
import { listenToKeys } from './keyboard.ts';

showControlCharacters();
listenToKeys(PAGES);
startClock();
startFaults();
startConnection();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
