import { createReceiver } from '@hookproof/receiver';
import { fastifyPlugin } from '@hookproof/receiver/fastify';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import Fastify from 'fastify';

/**
 * A Fastify app with a webhook at /hooks. Environment:
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

const app = Fastify();
// The plugin has its own scope: the body parsers of the app neither see the webhook nor change.
await app.register(fastifyPlugin(receiver, { path: '/hooks' }));
app.get('/', (_request, reply) => reply.send('The webhook is at /hooks.'));
// Runs before the server stops to accept connections, so that the last requests have their responses.
app.addHook('preClose', () => receiver.close());

await app.listen({ port: Number(process.env['PORT'] ?? 3000), host: '127.0.0.1' });
console.log('listening', app.server.address());

process.once('SIGTERM', () => void app.close());
