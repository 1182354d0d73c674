import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import express from 'express';

import { listen } from '../../../proof/receivers/listen.ts';
import type { RunningReceiver } from '../../../proof/receivers/running-receiver.ts';
import { SECRET } from '../../../proof/receivers/secret.ts';

/**
 * Express and `node:crypto`, as most examples show it: the timestamp is read with `parseInt`, and the body is parsed
 * after the response. An exception there ends the process, so the server closes with all its connections.
 */
export async function dyingReceiver(): Promise<RunningReceiver> {
  const app = express();
  const server = createServer(app);
  app.post('/hook', express.raw({ type: '*/*' }), (request, response) => {
    const [id = '', timestamp = '', signature = ''] = ['id', 'timestamp', 'signature'].map((name) =>
      request.get(`webhook-${name}`),
    );
    const body: unknown = request.body;
    if (!Buffer.isBuffer(body) || !signature.startsWith('v1,') || id === '') {
      response.sendStatus(400);
      return;
    }
    const isOld = Math.abs(Date.now() / 1000 - Number.parseInt(timestamp, 10)) > 300;
    const message = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
    const expected = createHmac('sha256', SECRET).update(message).digest();
    const given = Buffer.from(signature.slice(3), 'hex');
    if (isOld || given.length !== expected.length || !timingSafeEqual(given, expected)) {
      response.sendStatus(401);
      return;
    }
    response.sendStatus(202);
    setImmediate(() => {
      try {
        JSON.parse(body.toString());
      } catch {
        server.close();
        server.closeAllConnections();
      }
    });
  });
  return listen(server);
}
