// A reverse proxy, as a tunnel ends in one: passes every request below its own path on to TARGET_PORT.
// With TLS_CERT and TLS_KEY it ends TLS. Prints its port.
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';

const { TARGET_PORT = '', TLS_CERT, TLS_KEY } = process.env;

function pass(received: IncomingMessage, response: ServerResponse): void {
  const sent = request(
    {
      port: Number(TARGET_PORT),
      host: '127.0.0.1',
      method: received.method,
      path: received.url?.replace('/tunnel', ''),
      headers: received.headers,
    },
    (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, incoming.headers);
      incoming.pipe(response);
    },
  );
  sent.on('error', () => received.socket.destroy());
  received.pipe(sent);
}

const server =
  TLS_CERT === undefined || TLS_KEY === undefined
    ? createServer(pass)
    : createTlsServer({ cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY) }, pass);
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : 0}\n`);
});
