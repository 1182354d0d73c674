import { createReceiver } from '@hookproof/receiver';
import { fetchHandler } from '@hookproof/receiver/fetch';
import type { FetchHandler } from '@hookproof/receiver/fetch';
import { sqliteStore } from '@hookproof/receiver/sqlite';

/**
 * A server for Deno (`deno serve main.ts`) and Bun (`bun main.ts`), which start what a module exports. Environment:
 *
 * - WEBHOOK_SECRET: the secret of the webhook endpoint (whsec_…).
 * - DATABASE_FILE: the SQLite file. Default: events.db.
 */
const receiver = createReceiver({
  secrets: process.env['WEBHOOK_SECRET'] ?? '',
  store: sqliteStore({ file: process.env['DATABASE_FILE'] ?? 'events.db' }),
  handlers: { completed: ({ data }) => console.log('completed', data.run.id) },
  onError: console.error,
});
await receiver.start();

const server: { readonly fetch: FetchHandler } = { fetch: fetchHandler(receiver) };
export default server;
