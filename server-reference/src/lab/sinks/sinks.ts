import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { AttemptResult } from '../../events/order.ts';
import type { Clock } from '../../clock/clock.ts';
import { listen } from '../../http/listen.ts';
import type { Listening } from '../../http/listen.ts';
import type { FaultyOrder } from '../delivery-faults/interceptor.ts';
import type { SentPost } from './exchange.ts';
import type { Script } from './script.ts';
import { Sink } from './sink.ts';

/** The address of the sinks. */
const SINK_HOST = '127.0.0.1';
/** The maximum number of open sinks. */
export const MAX_SINKS = 100;

interface SinksOptions {
  readonly clock: Clock;
  /** Called after every change of a sink. */
  readonly changed: () => void;
}

/** Webhook endpoints inside the server, on a separate port. A restart removes them. */
export class Sinks {
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #sinks = new Map<string, Sink>();
  #opened = 0;
  #listener: Promise<Listening> | undefined;
  #port: string | undefined;

  constructor({ clock, changed }: SinksOptions) {
    this.#clock = clock;
    this.#changed = changed;
  }

  /** Returns the sinks in the order of their creation. */
  list(): readonly Sink[] {
    return [...this.#sinks.values()];
  }

  find(id: string): Sink | undefined {
    return this.#sinks.get(id);
  }

  /**
   * Opens a sink.
   *
   * @returns the sink, or null if {@link MAX_SINKS} are open
   */
  async open(script: Script): Promise<Sink | null> {
    const { port } = await this.#listen();
    if (this.#sinks.size >= MAX_SINKS) return null;
    this.#opened += 1;
    const id = `sink_${this.#opened}`;
    const url = `http://${SINK_HOST}:${port}/${id}`;
    const sink = new Sink({ id, url, script, clock: this.#clock, changed: this.#changed });
    this.#sinks.set(id, sink);
    return sink;
  }

  /**
   * Closes a sink and its waiting connections. Later requests get 404.
   *
   * @returns whether there was a sink with this id
   */
  remove(id: string): boolean {
    this.#sinks.get(id)?.disconnect();
    const wasOpen = this.#sinks.delete(id);
    this.#changed();
    return wasOpen;
  }

  /** Sends an attempt, and records it in the sink of its URL. */
  async observe(
    order: FaultyOrder,
    send: (order: FaultyOrder) => Promise<AttemptResult>,
  ): Promise<AttemptResult> {
    if (this.#sinks.size === 0) return send(order);
    let port: number | undefined;
    const onSocket = (socket: Socket): void => {
      const opened = (): void => void (port = socket.localPort);
      if (socket.connecting) socket.once('connect', opened);
      else opened();
    };
    const arrival = this.expect({ ...order, request: order.original, localPort: () => port });
    const result = await send({ ...order, onSocket });
    arrival();
    return result;
  }

  /**
   * Records a POST that is about to be sent in the sink of its URL. Returns a function to call after the POST: a
   * virtual clock then waits until the sink has received all of it.
   */
  expect(post: SentPost): () => void {
    const sink = this.#atUrl(post.request.url);
    const exchange = sink?.expect(post);
    return () => {
      if (exchange !== undefined) sink?.awaitArrival(exchange);
    };
  }

  /** Closes every connection and the port. */
  async close(): Promise<void> {
    const listener = await this.#listener;
    await listener?.close();
  }

  #atUrl(url: string): Sink | undefined {
    const { port, pathname } = new URL(url);
    return port === this.#port ? this.#at(pathname) : undefined;
  }

  #at(path: string): Sink | undefined {
    return this.#sinks.get(path.slice(1));
  }

  /** Keeps idle connections open, because the sender may be about to reuse one. */
  #server(): Server {
    return createServer({ keepAliveTimeout: 0 }, (request, response) =>
      this.#take(request, response),
    );
  }

  async #listen(): Promise<Listening> {
    this.#listener ??= listen(this.#server(), { host: SINK_HOST, port: 0 });
    try {
      const listener = await this.#listener;
      this.#port = String(listener.port);
      return listener;
    } catch (error) {
      this.#listener = undefined;
      throw error;
    }
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    // The Date header would show the time of the machine, not of the server's clock.
    response.sendDate = false;
    const [path = ''] = (request.url ?? '').split('?');
    const sink = this.#at(path);
    if (sink !== undefined) return sink.take(request, response);
    request.resume();
    response.writeHead(404, { 'Content-Type': 'text/plain' }).end('no sink has this URL\n');
  }
}
