import { Agent } from 'node:http';
import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';

/** Shorter than the five seconds after which many servers close theirs: none is used just as it is closed. */
const MAX_IDLE_MILLISECONDS = 4_000;

/**
 * The connections to one origin, kept open between requests. There is no limit of their number: the
 * requests under way at once are limited. What the agent of Node does beyond that costs a third of each
 * request.
 */
export class KeepAliveAgent extends Agent {
  readonly #connect: () => Socket;
  readonly #longestIdleMilliseconds: number;
  readonly #open = new Set<Socket>();
  #idle: Socket[] = [];

  /** @param longestIdleMilliseconds - of real time; then it is closed */
  constructor(connect: () => Socket, longestIdleMilliseconds: number = MAX_IDLE_MILLISECONDS) {
    super({ keepAlive: true });
    this.#connect = connect;
    this.#longestIdleMilliseconds = longestIdleMilliseconds;
  }

  /** Called by `node:http`: gives a request the connection that came free last, or a new one. */
  addRequest(request: ClientRequest): void {
    let socket = this.#idle.pop();
    while (socket?.writable === false) socket = this.#idle.pop();
    socket?.setTimeout(0);
    request.onSocket(socket ?? this.#openAnother());
  }

  isUnused(): boolean {
    return this.#open.size === 0;
  }

  /** Closes all of them. */
  override destroy(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #openAnother(): Socket {
    const socket = this.#connect();
    this.#open.add(socket);
    // Emitted by `node:http` after a whole answer that allows another request.
    socket.on('free', () => {
      socket.setTimeout(this.#longestIdleMilliseconds);
      this.#idle.push(socket);
    });
    socket.on('timeout', () => socket.destroy());
    socket.on('close', () => {
      this.#open.delete(socket);
      this.#idle = this.#idle.filter((idle) => idle !== socket);
    });
    // While it is idle nobody else listens, and it closes all the same.
    socket.on('error', () => {});
    return socket;
  }
}
