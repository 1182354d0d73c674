import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface RawResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Opens a connection on which a test writes raw bytes. */
export async function connection(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** @param line method and path, such as `POST /hooks` */
export function requestHead(line: string, headers: readonly (readonly [string, string])[]): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\nhost: localhost\r\n${lines.join('')}\r\n`;
}

/** Reads one complete response. */
export async function readResponse(socket: Socket): Promise<RawResponse> {
  let text = '';
  for (;;) {
    const response = parseResponse(text);
    if (response !== null) return response;
    const [event] = await Promise.race([
      once(socket, 'data').then(([chunk]) => [String(chunk)]),
      once(socket, 'close').then(() => [null]),
    ]);
    if (event === null || event === undefined) {
      throw new Error(`the connection ended after ${JSON.stringify(text)}`);
    }
    text += event;
  }
}

function parseResponse(text: string): RawResponse | null {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const [name = '', value = ''] = line.split(/: (.*)/);
      return [name.toLowerCase(), value] as const;
    }),
  );
  const body = text.slice(end + 4);
  if (body.length < Number(headers.get('content-length') ?? 0)) return null;
  return { status: Number(statusLine.split(' ')[1]), headers, body };
}
