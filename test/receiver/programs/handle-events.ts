/**
 * Handles the events of a SQLite file in ordered mode, and prints each event when its handler starts.
 * Arguments: file, lease in milliseconds, id of the event whose handler never ends.
 */
import { writeSync } from 'node:fs';

import { createReceiver } from '@hookproof/receiver';
import { sqliteStore } from '@hookproof/receiver/sqlite';

const [file = '', lease = '', hangsAt] = process.argv.slice(2);
const receiver = createReceiver({
  secrets: 'whsec_7hJmKx2QpLw9',
  store: sqliteStore({ file }),
  mode: 'ordered',
  leaseMilliseconds: Number(lease),
  pollMilliseconds: 20,
  roundTripGraceMilliseconds: 0,
  handlers: {
    async event({ id }, { attempt }) {
      writeSync(1, `begin ${id} ${attempt}\n`);
      if (id === hangsAt) await new Promise(() => {});
    },
    settled: ({ runId }) => writeSync(1, `settled ${runId}\n`),
  },
});
await receiver.start();
