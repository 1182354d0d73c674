/** Ends with code 7 while SQLite writes. Arguments: file, number of events before the end. */
import { realClock } from '@hookproof/receiver';
import { sqliteStore } from '@hookproof/receiver/sqlite';

const [file = '', events = '0'] = process.argv.slice(2);
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
let accepted = 0;
const acceptForever = async (name: string): Promise<void> => {
  for (let index = 0; ; index += 1) {
    await store.accept({ ...SINGLE, id: `${name}-${index}`, body: new Uint8Array(2_000) });
    accepted += 1;
    // Later by some turns, when the thread has the next events.
    if (accepted === Number(events)) setImmediate(() => setImmediate(() => process.exit(7)));
  }
};
for (const name of 'abcdefgh') void acceptForever(name);
