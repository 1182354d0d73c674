import { createServer } from 'node:http';

import express from 'express';

import { listen } from './listen.ts';
import { PlainReceiver } from './plain-receiver.ts';
import type { RunningReceiver } from './running-receiver.ts';
import { SECRET } from './secret.ts';

/** A plain receiver in Express, with its default limit of 100 KB. */
export function startExpressReceiver(): Promise<RunningReceiver> {
  const receiver = new PlainReceiver(SECRET);
  const app = express();
  app.post('/hook', express.raw({ type: 'application/json' }), (request, response) => {
    const body: unknown = request.body;
    const status = receiver.receive(
      {
        id: request.get('webhook-id'),
        timestamp: request.get('webhook-timestamp'),
        signature: request.get('webhook-signature'),
      },
      Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    );
    response.sendStatus(status);
  });
  app.get('/observer', (_request, response) => {
    response.json({ handled: receiver.handled });
  });
  return listen(createServer(app));
}
