import { once } from 'node:events';

import { createReceiver } from '@hookproof/receiver';
import { koaMiddleware } from '@hookproof/receiver/koa';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import Koa from 'koa';

/**
 * A Koa app with a webhook at /hooks. Environment:
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

const app = new Koa();
// Before body parsers, which would consume the bytes that the signature covers.
app.use(koaMiddleware(receiver, { path: '/hooks' }));
app.use((context) => {
  context.body = 'The webhook is at /hooks.';
});

const server = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
await once(server, 'listening');
console.log('listening', server.address());

process.once('SIGTERM', () => void stop());

async function stop(): Promise<void> {
  server.close();
  await receiver.close();
  server.closeAllConnections();
}
