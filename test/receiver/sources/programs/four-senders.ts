/**
 * An app with four senders on one store. It prints its port, then a line when a handler begins and one when it
 * ends. Arguments: name of the store, its file or URL.
 */
import { writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';

import { createReceiver, platform } from '@hookproof/receiver';
import { github } from '@hookproof/receiver/github';
import { nodeHandler } from '@hookproof/receiver/node';
import { standardWebhooks } from '@hookproof/receiver/standard-webhooks';
import { stripe } from '@hookproof/receiver/stripe';

import { STORES } from '../../stores/kills/programs/stores-by-name.ts';
import { SECRETS } from './secrets.ts';

const [name = '', address = ''] = process.argv.slice(2);
const store = STORES[name]?.(address);
if (store === undefined) throw new TypeError(`Unknown store ${name}.`);

const handle = async (source: string, key: string | null, id: string): Promise<void> => {
  writeSync(1, `begin ${source} ${key} ${id}\n`);
  await setTimeout(1);
  writeSync(1, `end ${source} ${key} ${id}\n`);
};

const receiver = createReceiver({
  store,
  // Longer than a busy machine keeps the process waiting: a lease that is lost without a kill is another case.
  leaseMilliseconds: 5_000,
  pollMilliseconds: 20,
  sources: {
    runs: platform({ secrets: SECRETS.runs, mode: 'ordered', roundTripGraceMilliseconds: 0 }),
    stripe: stripe({ secrets: SECRETS.stripe, order: 'serial' }),
    crm: standardWebhooks({
      secrets: SECRETS.crm,
      order: 'serial',
      key: (payload) => (payload as { data: { contact: string } }).data.contact,
    }),
    code: github({ secrets: SECRETS.code, order: 'serial' }),
  },
  handlers: {
    runs: { event: ({ id, data }) => handle('runs', data.run.id, id) },
    stripe: { event: ({ source, key, id }) => handle(source, key, id) },
    crm: { event: ({ source, key, id }) => handle(source, key, id) },
    code: { event: ({ source, key, id }) => handle(source, key, id) },
  },
});
await receiver.start();

const handlers = (['runs', 'stripe', 'crm', 'code'] as const).map((source) =>
  nodeHandler(receiver.source(source), { path: `/${source}` }),
);
const server = createServer((request, response) => {
  const next = (index: number): void => {
    const handler = handlers[index];
    if (handler !== undefined) return handler(request, response, () => next(index + 1));
    void receiver.stats().then(({ open, dead }) => response.end(`${open} ${dead}`));
  };
  next(0);
});
server.listen(0, '127.0.0.1', () => {
  const bound = server.address();
  writeSync(1, `port ${typeof bound === 'object' ? bound?.port : ''}\n`);
});
