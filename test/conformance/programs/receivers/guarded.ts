import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';

import { listen } from '../../../proof/receivers/listen.ts';
import { PlainReceiver } from '../../../proof/receivers/plain-receiver.ts';
import type { RunningReceiver } from '../../../proof/receivers/running-receiver.ts';
import { SECRET } from '../../../proof/receivers/secret.ts';

/** The status of a refusal before or after the receiver, or its end; null leaves a delivery to it. */
type Guard = (body: string, received: number | null) => number | 'reset' | null;

/** A right receiver that refuses test events. */
export function noTestsReceiver(): Promise<RunningReceiver> {
  return guarded((body) => (body.includes('"test":true') ? 422 : null));
}

/** A right receiver behind a filter that blocks its sender after 40 forged deliveries. */
export function banningReceiver(): Promise<RunningReceiver> {
  let refused = 0;
  return guarded((_body, received) => {
    if (received === 401) refused += 1;
    return refused > 40 ? 403 : null;
  });
}

/** Refuses large bodies, after the connection of the first one was lost. */
export function refusingReceiver(): Promise<RunningReceiver> {
  let large = 0;
  return guarded((body) => {
    if (body.length < 4_096) return null;
    large += 1;
    return large === 1 ? 'reset' : 400;
  });
}

function guarded(guard: Guard): Promise<RunningReceiver> {
  const receiver = new PlainReceiver(SECRET);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'GET') {
        response.end(JSON.stringify({ handled: receiver.handled }));
        return;
      }
      const body = Buffer.concat(chunks);
      const received = guard(body.toString(), null) ?? receiver.receive(headersOf(request), body);
      const said = received === 'reset' ? received : (guard('', received) ?? received);
      if (said === 'reset') request.socket.destroy();
      else response.writeHead(said).end();
    });
  });
  return listen(server);
}

function headersOf({ headers }: IncomingMessage) {
  return {
    id: headers['webhook-id']?.toString(),
    timestamp: headers['webhook-timestamp']?.toString(),
    signature: headers['webhook-signature']?.toString(),
  };
}
