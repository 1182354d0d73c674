import { once } from 'node:events';

import { createReceiver } from '@hookproof/receiver';
import { nodeHandler } from '@hookproof/receiver/node';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import express from 'express';

/**
 * An Express app with a webhook at /hooks. Express 4 is the same. Environment:
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

const app = express();
// Before express.json(), which would consume the bytes that the signature covers.
app.use('/hooks', nodeHandler(receiver));
app.use(express.json());
app.get('/', (_request, response) => void response.send('The webhook is at /hooks.'));

const server = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
await once(server, 'listening');
console.log('listening', server.address());

process.once('SIGTERM', () => void stop());

async function stop(): Promise<void> {
  server.close();
  await receiver.close();
  server.closeAllConnections();
}
