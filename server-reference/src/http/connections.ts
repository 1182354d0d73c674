import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Keeps the open connections of the servers of a platform below a number. */
export interface ConnectionLimit {
  /**
   * Drops the oldest connection without a request in progress when a new one would exceed the limit. Without
   * such a connection the new one is dropped.
   *
   * @param isBusy - whether a response of the connection is not yet sent
   */
  guard(server: Server, isBusy: (socket: Socket) => boolean): void;
}

/** Creates a limit that its servers share. */
export function createConnectionLimit(maxConnections: number): ConnectionLimit {
  const open = new Map<Socket, (socket: Socket) => boolean>();
  return {
    guard(server, isBusy) {
      server.on('connection', (socket: Socket) => {
        if (open.size >= maxConnections) {
          const idle = [...open].find(([other, isOtherBusy]) => !isOtherBusy(other));
          const [dropped] = idle ?? [socket];
          open.delete(dropped);
          dropped.destroy();
          if (dropped === socket) return;
        }
        open.set(socket, isBusy);
        socket.once('close', () => open.delete(socket));
      });
    },
  };
}

const MAX_CONNECTIONS = 10_000;

/**
 * Returns the number of connections that this process can have: a third of its file descriptors. A download
 * needs a second one, and the store, the sender and the log need the rest.
 */
export function affordableConnections(): number {
  return Math.min(MAX_CONNECTIONS, Math.max(8, Math.floor(maxDescriptors() / 3)));
}

/** The system reports the number only on Linux. */
function maxDescriptors(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, soft] = /^Max open files\s+(\d+)\s/m.exec(limits) ?? [];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
