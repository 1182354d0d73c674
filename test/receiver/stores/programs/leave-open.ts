/** Accepts an event, settles nothing and closes nothing: the process must end by itself. Argument: file. */
import { realClock } from '@hookproof/receiver';
import { sqliteStore } from '@hookproof/receiver/sqlite';

const [file = ''] = process.argv.slice(2);
/** An event without a run. */
const SINGLE = {
  source: 'platform',
  key: null,
  owner: null,
  type: null,
  handler: null,
  facts: null,
  timestamp: 1,
  error: null,
};
const store = sqliteStore({ file });
await store.open({ clock: realClock() });
await store.accept({ ...SINGLE, id: 'whev_1', body: new Uint8Array(1) });
