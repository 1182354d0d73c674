// Plays the script once for each seed in its arguments, one after another in this process, and prints the
// transcripts as JSON: an array of lines for each.
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createServer, virtualClock } from '@hookproof/server-reference';

import { callEveryOperation } from './call-every-operation.ts';
import { deliverWithFaults } from './deliver-with-faults.ts';
import { transcript } from './transcript.ts';

const STATUSES = [503, 204, 429, 500, 204, 408, 204] as const;

interface Endpoint {
  /** One line for each arrival, headers in their order. */
  readonly arrivals: readonly string[];
  readonly port: number;
  close(): void;
}

async function listen(): Promise<Endpoint> {
  const arrivals: string[] = [];
  const server = createHttpServer((request, response) => {
    const chunks: Buffer[] = [];
    const keep = (ended: string): void => {
      const body = Buffer.concat(chunks).toString('utf8');
      arrivals.push([ended, JSON.stringify(request.rawHeaders), body].join('\n'));
    };
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => keep('cut off'));
    request.on('end', () => {
      keep('whole');
      const status = STATUSES[arrivals.length % STATUSES.length] ?? 204;
      // The server keeps the headers of responses, and the date of this one is the machine's.
      response.sendDate = false;
      response.writeHead(status, status === 429 ? { 'retry-after': '90' } : {}).end(`${status}`);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { arrivals, port, close: () => void server.close() };
}

async function play(seed: number): Promise<string[]> {
  const clock = virtualClock({
    now: Date.parse('2026-07-01T00:00:00.000Z'),
    stallTimeoutMilliseconds: 10_000,
  });
  const server = await createServer({
    store: { kind: 'memory' },
    clock,
    seed,
    retryProfile: 'real',
  });
  const endpoint = await listen();
  const ports = { api: Number(new URL(server.baseUrl).port), endpoint: endpoint.port };
  const kept = transcript(server, ports);
  await deliverWithFaults(kept, server, `http://127.0.0.1:${endpoint.port}/hook`);
  await callEveryOperation(kept, server);
  for (const arrival of endpoint.arrivals) kept.note(`arrival\n${arrival}`);
  await server.close();
  endpoint.close();
  return kept.lines;
}

const transcripts: string[][] = [];
for (const seed of process.argv.slice(2)) transcripts.push(await play(Number(seed)));
process.stdout.write(JSON.stringify(transcripts));
