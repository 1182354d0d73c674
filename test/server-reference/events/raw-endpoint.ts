import { createServer } from 'node:net';
import type { Socket } from 'node:net';

import { listeningPort } from '../../listening-port.ts';

/** Starts an endpoint that sends raw bytes for each request; returns its URL. */
export async function rawEndpoint(
  response: (socket: Socket, request: Buffer) => void,
): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (request) => {
      if (request.subarray(0, 4).equals(Buffer.from('POST'))) response(socket, request);
    });
  });
  return `http://127.0.0.1:${await listeningPort(server)}/`;
}
