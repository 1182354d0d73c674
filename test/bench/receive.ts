import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';

import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';

import { atLeast } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { SECRET } from './delivery.ts';
import { median } from './median.ts';

const CONNECTIONS = 64;
const ROUNDS = 7;
const REQUESTS = 4_000;
const NAMES = ['bare', 'bareParsing', 'memory', 'memoryHandling', 'sqlite'] as const;

type Name = (typeof NAMES)[number];

type PerName = Record<Name, number[]>;

/** Compares HTTP deliveries of 1 KB over 64 connections with a bare server that checks the HMAC. */
export const receive: Bench = {
  title: 'HTTP receive, 1 KB, 64 connections',
  async run() {
    const server = fork(fileURLToPath(new URL('programs/receive/main.js', import.meta.url)));
    const [{ ports, folder }] = (await once(server, 'message')) as [
      { ports: Record<Name, number>; folder: string },
    ];
    const rates = measurements();
    const costs = measurements();
    for (let round = -1; round < ROUNDS; round += 1) {
      const requests = signedRequests(round);
      for (const name of NAMES) {
        const before = await processorMicroseconds(server);
        const rate = await requestsPerSecond(ports[name], requests);
        const used = (await processorMicroseconds(server)) - before;
        if (round < 0) continue;
        rates[name].push(rate);
        costs[name].push(used / REQUESTS);
      }
    }
    const ended = once(server, 'exit');
    server.kill();
    await ended;
    await rm(folder, { recursive: true });
    return [
      rateRow('receive, memory store', rates.memory, rates.bare, 0.95),
      rateRow('receive and handle, memory store', rates.memoryHandling, rates.bare),
      rateRow('receive, durable (SQLite)', rates.sqlite, rates.bare, 0.5),
      costRow('processor time, memory store', costs.memory, costs.bare),
      costRow('processor time, SQLite', costs.sqlite, costs.bare),
      // The receiver decodes each event before it responds, so this is its lower bound.
      costRow('processor time, bare with JSON.parse', costs.bareParsing, costs.bare),
    ];
  },
};

function measurements(): PerName {
  return { bare: [], bareParsing: [], memory: [], memoryHandling: [], sqlite: [] };
}

async function processorMicroseconds(server: ChildProcess): Promise<number> {
  const response = once(server, 'message');
  server.send('processor time');
  const [message] = (await response) as [{ processorMicroseconds: number }];
  return message.processorMicroseconds;
}

function rateRow(
  what: string,
  rates: readonly number[],
  bare: readonly number[],
  bar?: number,
): Row {
  const ratio = median(rates.map((rate, round) => rate / (bare[round] ?? Number.NaN)));
  return {
    what,
    measured: `${Math.round(median(rates))}/s`,
    against: `bare node:http with HMAC ${Math.round(median(bare))}/s`,
    ratio,
    bar: bar === undefined ? null : atLeast(bar, ratio),
  };
}

/** The ratio is above 1 when the bare server needs more. */
function costRow(what: string, costs: readonly number[], bare: readonly number[]): Row {
  return {
    what,
    measured: `${median(costs).toFixed(0)} µs a request`,
    against: `bare node:http with HMAC ${median(bare).toFixed(0)} µs`,
    ratio: median(costs.map((cost, round) => (bare[round] ?? Number.NaN) / cost)),
    bar: null,
  };
}

/** Returns complete requests with different event IDs. */
function signedRequests(round: number): readonly Buffer[] {
  return Array.from({ length: REQUESTS }, (_, index) => {
    const run = { id: `exec_${round}_${index}`, output: 'x'.repeat(700) };
    const { headers, body } = signEvent(runCreatedEvent({ run }), { secret: SECRET });
    const lines = Object.entries({ host: 'bench', ...headers, 'content-length': body.length });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    return Buffer.concat([Buffer.from(`POST / HTTP/1.1\r\n${head}\r\n`), body]);
  });
}

async function requestsPerSecond(port: number, requests: readonly Buffer[]): Promise<number> {
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const waiting = [...requests];
  const start = performance.now();
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve, reject) => {
          const sendNext = (): void => {
            const request = waiting.pop();
            if (request === undefined) resolve();
            else socket.write(request);
          };
          socket.on('data', (response) => {
            if (response.toString('latin1', 0, 10).startsWith('HTTP/1.1 2')) sendNext();
            else reject(new Error(`not accepted: ${response.toString('latin1', 0, 200)}`));
          });
          sendNext();
        }),
    ),
  );
  const seconds = (performance.now() - start) / 1_000;
  for (const socket of sockets) socket.destroy();
  return requests.length / seconds;
}
