import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';

import { listen } from '../../../proof/receivers/listen.ts';
import type { RunningReceiver } from '../../../proof/receivers/running-receiver.ts';
import { SECRET } from '../../../proof/receivers/secret.ts';

/**
 * The receiver that most examples show: it reads the timestamp with `parseInt`, responds, and parses the body later. An
 * exception there ends the process, so the server closes with all its connections.
 */
export async function dyingReceiver(): Promise<RunningReceiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      if (!isSigned(request.headers, body)) {
        response.writeHead(401).end();
        return;
      }
      response.writeHead(202).end(() => {
        try {
          JSON.parse(body.toString());
        } catch {
          server.close();
          server.closeAllConnections();
        }
      });
    });
  });
  return listen(server);
}

function isSigned(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  } = headers;
  if (typeof id !== 'string' || typeof timestamp !== 'string') return false;
  if (typeof signature !== 'string' || !signature.startsWith('v1,')) return false;
  const seconds = Number.parseInt(timestamp, 10);
  if (Math.abs(Date.now() / 1000 - seconds) > 300) return false;
  const computed = createHmac('sha256', SECRET).update(`${id}.${timestamp}.`).update(body).digest();
  const given = Buffer.from(signature.slice(3), 'hex');
  return given.length === computed.length && timingSafeEqual(given, computed);
}
