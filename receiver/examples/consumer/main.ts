import { subscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';

import { createReceiver } from '@hookproof/receiver';
import type { Handler, RunEvent } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { nodeHandler } from '@hookproof/receiver/node';
import { sqliteStore } from '@hookproof/receiver/sqlite';

/**
 * A complete consumer of run events. It stores them in SQLite, handles each run in order, and prints a
 * JSON line for each request, handled event, settled run and problem. Environment:
 *
 * - WEBHOOK_SECRET: the endpoint secret, or several separated by commas. Required.
 * - DATABASE_FILE: the SQLite file, or `:memory:` for this process only. Default: events.db.
 * - PORT: the port. Default: 0, which chooses a free one.
 * - GAP_GRACE_MILLISECONDS: how long an event waits for missing earlier ones. Default: 10,000.
 */
const { WEBHOOK_SECRET, DATABASE_FILE = 'events.db', PORT = '0' } = process.env;
if (WEBHOOK_SECRET === undefined) {
  console.error('Set WEBHOOK_SECRET to the secret of the webhook endpoint (whsec_…).');
  process.exit(2);
}

const handled: { id: string; runId: string; type: string; status: string }[] = [];

const receiver = createReceiver({
  secrets: WEBHOOK_SECRET.split(','),
  store: DATABASE_FILE === ':memory:' ? memoryStore() : sqliteStore({ file: DATABASE_FILE }),
  mode: 'ordered',
  gapGraceMilliseconds: Number(process.env['GAP_GRACE_MILLISECONDS'] ?? 10_000),
  handlers: {
    event: printHandled,
    settled: ({ runId, status }) => print({ settled: { runId, status } }),
    test: (event) => print({ test: { eventId: event.id } }),
  },
  onError: ({ code, message, eventId }) => print({ problem: { code, message, eventId } }),
});
subscribe('tracing:hookproof:receive:asyncEnd', (arrived) => print({ arrived }));
await receiver.start();

const receive = nodeHandler(receiver);
const server = createServer((request, response) => {
  if (request.method === 'GET' && request.url === '/observer') {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ handled }));
  } else {
    receive(request, response);
  }
});
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : PORT;
  print({ listening: `http://127.0.0.1:${port}` });
});

process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());

async function stop(): Promise<void> {
  server.close();
  await receiver.close();
  server.closeAllConnections();
}

function printHandled(...[event, { order }]: Parameters<Handler<RunEvent>>): void {
  const { id: eventId, type, data } = event;
  const { id: runId, status } = data.run;
  const previousStatus = data.previousStatus ?? null;
  handled.push({ id: eventId, runId, type, status });
  print({ handled: { runId, eventId, type, status, previousStatus, order } });
}

function print(line: object): void {
  console.log(JSON.stringify(line));
}
