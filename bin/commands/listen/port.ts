import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ReceivedDelivery } from '../../saved/delivery-folder.ts';
import type { AppResponse } from './app.ts';
import { headerPairs } from './hop-by-hop.ts';

/** A larger body gets 413. No event of the platform comes near. */
const MAX_BODY_BYTES: number = 8 * 1_048_576;

interface PortOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Called with each complete POST. Returns the response for the platform. */
  readonly receive: (delivery: ReceivedDelivery) => Promise<AppResponse>;
  /** Called with each request that is no complete POST. */
  readonly ignored: (problem: string) => void;
}

interface OpenPort {
  readonly url: string;
  /** Accepts no more requests, and resolves when the accepted ones have their response. */
  close(): Promise<void>;
}

/** Opens the port on which the platform, or a tunnel, delivers. */
export async function openPort({ host, port, receive, ignored }: PortOptions): Promise<OpenPort> {
  const server = createServer((request, response) => {
    respond(request, response, { receive, ignored }).catch((error: unknown) => {
      ignored(`a response could not be passed on: ${String(error)}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { url: urlOf(server, host), close: () => closed(server) };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { receive, ignored }: Pick<PortOptions, 'receive' | 'ignored'>,
): Promise<void> {
  // A client that hangs up does not wait for the response.
  response.on('error', () => {});
  const body = await bodyOf(request);
  if (body === 'aborted') return ignored('a request ended before its body was complete');
  if (body === 'too_large') {
    ignored(`a body of more than ${MAX_BODY_BYTES} bytes got 413`);
    response.writeHead(413, { connection: 'close' }).end();
    return;
  }
  if (request.method !== 'POST') {
    ignored(`${request.method} got 405`);
    response.writeHead(405, { allow: 'POST' }).end('hookproof listen accepts POST.\n');
    return;
  }
  const headers = headerPairs(request.rawHeaders);
  const passed = await receive({ headers, body, receivedAt: Date.now() });
  if (response.destroyed) return ignored('the platform did not wait for the response');
  sendResponse(response, passed);
}

function sendResponse(response: ServerResponse, passed: AppResponse): void {
  const lines = passed.headers.flat();
  const hasLength = passed.headers.some(([name]) => name.toLowerCase() === 'content-length');
  const mayHaveBody = passed.status !== 204 && passed.status !== 304;
  if (!hasLength && mayHaveBody) lines.push('Content-Length', String(passed.body.byteLength));
  response.sendDate = !passed.headers.some(([name]) => name.toLowerCase() === 'date');
  response.writeHead(passed.status, lines).end(mayHaveBody ? passed.body : undefined);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | 'aborted' | 'too_large'> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.byteLength;
      if (size > MAX_BODY_BYTES) return 'too_large';
      chunks.push(chunk);
    }
  } catch {
    return 'aborted';
  }
  return request.complete ? Buffer.concat(chunks) : 'aborted';
}

function urlOf(server: Server, host: string): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server has no pipe name
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/`;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
