import { once } from 'node:events';

import { serve } from '@hono/node-server';
import { createReceiver } from '@hookproof/receiver';
import { fetchHandler } from '@hookproof/receiver/fetch';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { Hono } from 'hono';

/**
 * A Hono app on Node.js with a webhook at /hooks. Environment:
 *
 * - WEBHOOK_SECRET: the secret of the webhook endpoint (whsec_…).
 * - DATABASE_FILE: the SQLite file. Default: events.db.
 * - PORT: the port. Default: 3000; 0 chooses a free one.
 */
const receiver = createReceiver({
  secrets: process.env['WEBHOOK_SECRET'] ?? '',
  store: sqliteStore({ file: process.env['DATABASE_FILE'] ?? 'events.db' }),
  handlers: { completed: ({ data }) => console.log('completed', data.run.id) },
  onError: console.error,
});
await receiver.start();

const app = new Hono();
app.mount('/hooks', fetchHandler(receiver));
app.get('/', (context) => context.text('The webhook is at /hooks.'));

const port = Number(process.env['PORT'] ?? 3000);
const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' });
await once(server, 'listening');
console.log('listening', server.address());

process.once('SIGTERM', () => void stop());

async function stop(): Promise<void> {
  server.close();
  await receiver.close();
}
