import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { Server } from 'node:http';

import { listen } from './listen.ts';
import { PlainReceiver } from './plain-receiver.ts';
import type { RunningReceiver } from './running-receiver.ts';
import { SECRET } from './secret.ts';

/** A plain receiver in Hono. */
export function startHonoReceiver(): Promise<RunningReceiver> {
  const receiver = new PlainReceiver(SECRET);
  const app = new Hono();
  app.post('/hook', async ({ req }) => {
    const headers = {
      id: req.header('webhook-id'),
      timestamp: req.header('webhook-timestamp'),
      signature: req.header('webhook-signature'),
    };
    const status = receiver.receive(headers, Buffer.from(await req.arrayBuffer()));
    return new Response(null, { status });
  });
  app.get('/observer', ({ json }) => json({ handled: receiver.handled }));
  const server = createAdaptorServer({ fetch: app.fetch });
  if (!(server instanceof Server)) throw new TypeError('Hono must serve HTTP/1.1.');
  return listen(server);
}
