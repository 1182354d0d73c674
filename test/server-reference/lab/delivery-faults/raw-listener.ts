import { createServer } from 'node:net';

import { listeningPort } from '../../../listening-port.ts';

/** One connection with its exact bytes. */
interface RawConnection {
  /** The text of each read, in order. */
  readonly reads: readonly string[];
  readonly ended: boolean;
}

interface RawListener {
  readonly url: string;
  readonly connections: readonly RawConnection[];
  /** Resolves once `look` returns true; it is called after each read and each end of a connection. */
  until(look: (connections: readonly RawConnection[]) => boolean): Promise<void>;
}

/** An endpoint without an HTTP parser: it keeps what it reads, and sends what `respond` returns for all of it. */
export async function rawListener(
  response: (text: string) => string | null = () => null,
): Promise<RawListener> {
  const connections: { reads: string[]; ended: boolean }[] = [];
  const waiting = new Set<() => void>();
  const tell = (): void => {
    for (const look of waiting) look();
  };
  const server = createServer((socket) => {
    const connection = { reads: [] as string[], ended: false };
    connections.push(connection);
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      connection.reads.push(chunk.toString('latin1'));
      const text = response(connection.reads.join(''));
      if (text !== null) socket.write(text);
      tell();
    });
    socket.on('close', () => {
      connection.ended = true;
      tell();
    });
  });
  return {
    url: `http://127.0.0.1:${await listeningPort(server)}/hook`,
    connections,
    until: (look) =>
      new Promise((resolve) => {
        const ask = (): void => {
          if (!look(connections)) return;
          waiting.delete(ask);
          resolve();
        };
        waiting.add(ask);
        ask();
      }),
  };
}

/** The bytes after the head. */
export function bodyOf({ reads }: RawConnection): string {
  const text = reads.join('');
  return text.slice(text.indexOf('\r\n\r\n') + 4);
}

/** Sends 204 for each complete request. */
export function respondToWhole(text: string): string | null {
  const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
  const whole = text.length - text.indexOf('\r\n\r\n') - 4 === length;
  return whole ? 'HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n' : null;
}
