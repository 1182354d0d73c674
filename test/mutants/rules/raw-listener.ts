import { EventEmitter, once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/** Answers a request, counted from 1; `bytes` are those that came first. */
export type RawAnswer = (socket: Socket, number: number, bytes: Buffer) => void;

export interface RawListener {
  readonly url: string;
  /** Resolves to the connection of the request with this number. */
  request(number: number): Promise<Socket>;
  close(): void;
}

/** An endpoint that answers each POST with raw bytes, right or wrong. */
export async function listenRaw(answer: RawAnswer): Promise<RawListener> {
  const sockets = new Set<Socket>();
  const requests: Socket[] = [];
  const arrivals = new EventEmitter();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      if (bytes.toString('latin1', 0, 4) !== 'POST') return;
      answer(socket, requests.push(socket), bytes);
      arrivals.emit('request');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async request(number) {
      for (;;) {
        const socket = requests[number - 1];
        if (socket !== undefined) return socket;
        await once(arrivals, 'request');
      }
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Listens, says where, and never takes a connection. */
const SLEEPER = `
const { createServer } = require('node:net');
const { parentPort } = require('node:worker_threads');
const server = createServer();
server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
  parentPort.postMessage(server.address().port);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
`;

/** An endpoint in a thread that stands still: once its queue is full, no connection to it is established. */
export async function listenNever(): Promise<{ url: string; close: () => Promise<void> }> {
  const sleeper = new Worker(SLEEPER, { eval: true });
  const [port] = (await once(sleeper, 'message')) as [number];
  const fillers = [1, 2].map(() => connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(fillers.map((filler) => once(filler, 'connect')));
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      for (const filler of fillers) filler.destroy();
      await sleeper.terminate();
    },
  };
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const listener = await listenRaw(() => {});
  listener.close();
  return Number(new URL(listener.url).port);
}
