import { createServer } from 'node:http';

import { listen } from '../../../proof/receivers/listen.ts';
import { PlainReceiver } from '../../../proof/receivers/plain-receiver.ts';
import type { RunningReceiver } from '../../../proof/receivers/running-receiver.ts';
import { SECRET } from '../../../proof/receivers/secret.ts';

/** A right receiver that sends interim responses before the final one, which HTTP allows to any request. */
export function interimReceiver(): Promise<RunningReceiver> {
  const receiver = new PlainReceiver(SECRET);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    response.writeContinue();
    response.writeProcessing();
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { 'webhook-id': id, 'webhook-timestamp': timestamp } = request.headers;
      const headers = {
        id: id?.toString(),
        timestamp: timestamp?.toString(),
        signature: request.headers['webhook-signature']?.toString(),
      };
      response.writeHead(receiver.receive(headers, Buffer.concat(chunks))).end();
    });
  });
  return listen(server);
}
