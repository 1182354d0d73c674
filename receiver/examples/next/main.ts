import { createReceiver } from '@hookproof/receiver';
import { fetchHandler } from '@hookproof/receiver/fetch';
import type { FetchHandler } from '@hookproof/receiver/fetch';
import { sqliteStore } from '@hookproof/receiver/sqlite';

/**
 * A route of Next.js: app/hooks/route.ts. It needs a server that keeps running, as `next start` is. Environment:
 *
 * - WEBHOOK_SECRET: the secret of the webhook endpoint (whsec_…).
 * - DATABASE_FILE: the SQLite file. Default: events.db.
 */
const receiver = createReceiver({
  secrets: process.env['WEBHOOK_SECRET'] ?? '',
  store: sqliteStore({ file: process.env['DATABASE_FILE'] ?? 'events.db' }),
  handlers: { completed: ({ data }) => console.log('completed', data.run.id) },
  onError: ({ code, message }) => console.error(code, message),
});
await receiver.start();

export const runtime = 'nodejs';
export const POST: FetchHandler = fetchHandler(receiver);
