import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

import type { Clock } from '../../platform/clock/clock.ts';
import { listen } from '../../platform/http/listen.ts';
import type { Listening } from '../../platform/http/listen.ts';
import type { Attempt, AttemptOrder } from '../../platform/sender/attempt.ts';
import type { BeginAttempt } from '../../platform/sender/interceptor.ts';
import { sentPost } from './exchange.ts';
import type { SentPost } from './exchange.ts';
import type { Script } from './script.ts';
import { Sink } from './sink.ts';

/** Where the sinks stand. */
const SINK_HOST = '127.0.0.1';
/** More than these are not open at once. */
export const MAX_SINKS = 100;

export interface SinksOptions {
  readonly clock: Clock;
  /** Called after every change that a sink has come to. */
  readonly changed: () => void;
}

/** Endpoints inside the server, on one port of their own; kept in memory alone. */
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

  /** In the order they were opened. */
  list(): readonly Sink[] {
    return [...this.#sinks.values()];
  }

  find(id: string): Sink | undefined {
    return this.#sinks.get(id);
  }

  /** @returns the sink, or null when there are {@link MAX_SINKS} already */
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
   * Closes a sink: who waits for its answer is cut off, who comes later finds nothing there.
   *
   * @returns whether there was a sink with this id
   */
  remove(id: string): boolean {
    this.#sinks.get(id)?.abandon();
    const wasOpen = this.#sinks.delete(id);
    this.#changed();
    return wasOpen;
  }

  /** Whether there is a sink at this URL. */
  watches(url: string): boolean {
    return this.#sinks.size > 0 && this.#atUrl(url) !== undefined;
  }

  /** Shows the sink at its URL a POST that has begun. */
  expect(post: SentPost): void {
    this.#atUrl(post.request.url)?.expect(post);
  }

  /** Begins an attempt, and shows it to the sink that it is sent to. */
  intercept(order: AttemptOrder, next: BeginAttempt): Attempt {
    if (!this.watches(order.endpoint.url)) return next(order);
    const attempt = next({ ...order, needsLocalPort: true });
    this.expect(sentPost(attempt));
    return attempt;
  }

  /** Cuts every connection and closes the port. */
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

  /** Never closing an idle connection: the sender could be about to use it again. */
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
    // The time of the machine would be a riddle beside the server's own.
    response.sendDate = false;
    const [path = ''] = (request.url ?? '').split('?');
    const sink = this.#at(path);
    if (sink !== undefined) return sink.take(request, response);
    request.resume();
    response.writeHead(404, { 'Content-Type': 'text/plain' }).end('no sink stands here\n');
  }
}
