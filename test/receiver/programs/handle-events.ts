/**
 * Handles the events of a store in ordered mode, and prints each event when its handler starts. Arguments:
 * name of the store, its file or URL, lease in milliseconds, id of the event whose handler never ends. With
 * the last one it delivers `RUN` first.
 */
import { writeSync } from 'node:fs';

import { createReceiver } from '@hookproof/receiver';
import { signEvent } from '@hookproof/receiver/testing';

import { RUN } from './run-of-three.ts';
import { STORES } from '../stores/kills/programs/stores-by-name.ts';

const [name = '', address = '', lease = '', hangsAt = ''] = process.argv.slice(2);
const store = STORES[name]?.(address);
if (store === undefined) throw new TypeError(`Unknown store ${name}.`);
const secret = 'whsec_7hJmKx2QpLw9';
const receiver = createReceiver({
  secrets: secret,
  store,
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
for (const event of hangsAt === '' ? [] : RUN) {
  const { headers, body } = signEvent(event, { secret });
  await receiver.receive({ method: 'POST', headers, body });
}
