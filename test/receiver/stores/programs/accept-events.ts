/**
 * Accepts events into a SQLite file and prints each id once it is acknowledged, until it is killed or
 * every event is accepted. Arguments: file, first number, number of events, number of callers.
 */
import { realClock } from '@hookproof/receiver';
import { sqliteStore } from '@hookproof/receiver/sqlite';

const [file = '', first = '0', count = '0', callers = '1'] = process.argv.slice(2);
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
process.stdout.write('open\n');
let next = Number(first);
const end = next + Number(count);

await Promise.all(
  Array.from({ length: Number(callers) }, async () => {
    while (next < end) {
      const id = `whev_${next}`;
      next += 1;
      const body = Buffer.from(`{"id":"${id}","pad":"${'x'.repeat(1_000)}"}`);
      const outcome = await store.accept({ ...SINGLE, id, body });
      process.stdout.write(`${id} ${outcome}\n`);
    }
  }),
);
await store.close();
