import { randomUUID } from 'node:crypto';

import type { TimerHandle } from '../../clock.ts';
import type { StoreHost } from '../store.ts';
import type { Driver, Stop } from './driver.ts';

/** Shortest time between two messages of one process. */
const INTERVAL = 20;

const MIN_RECONNECT = 100;
const MAX_RECONNECT = 10_000;

/**
 * Reports new work to the other processes, and listens for theirs. A message is a hint: workers also
 * look for work after each poll interval. It goes in a statement of its own, because a commit with a
 * message locks out all other such commits of the server.
 */
export class WakeChannel {
  readonly #driver: Driver<unknown>;
  readonly #channel: string;
  readonly #host: StoreHost;
  readonly #self = randomUUID();
  #stop: Stop | null = null;
  #retry: TimerHandle | null = null;
  #isStopped = false;
  #hasListened = false;
  #pause: TimerHandle | null = null;
  #hasNews = false;
  #sending: Promise<void> = Promise.resolve();

  constructor(driver: Driver<unknown>, schema: string, host: StoreHost) {
    this.#driver = driver;
    this.#channel = `${schema}_wake`;
    this.#host = host;
  }

  /** Listens from now on, again after each failure of the connection. */
  async start(delay: number = MIN_RECONNECT): Promise<void> {
    try {
      const receive = (payload: string): void => {
        if (payload !== this.#self) this.#host.wake();
      };
      const stop = await this.#driver.listen(this.#channel, receive, () => {
        this.#stop = null;
        this.#startLater(MIN_RECONNECT);
      });
      if (this.#isStopped) return await stop();
      this.#stop = stop;
      // What became due while nothing listened.
      if (this.#hasListened) this.#host.wake();
      this.#hasListened = true;
    } catch {
      this.#startLater(Math.min(delay * 2, MAX_RECONNECT));
    }
  }

  /** Reports that work became due. */
  notify(): void {
    if (this.#isStopped) return;
    if (this.#pause !== null) {
      this.#hasNews = true;
      return;
    }
    this.#hasNews = false;
    this.#pause = this.#host.clock.setTimeout(() => {
      this.#pause = null;
      if (this.#hasNews) this.notify();
    }, INTERVAL);
    this.#sending = this.#driver
      .query('SELECT pg_notify($1, $2)', [this.#channel, this.#self])
      .then(
        () => undefined,
        // The others find the work when they look next.
        () => undefined,
      );
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of [this.#retry, this.#pause]) {
      if (timer !== null) this.#host.clock.clearTimeout(timer);
    }
    await this.#sending;
    await this.#stop?.();
  }

  #startLater(delay: number): void {
    if (this.#isStopped) return;
    this.#retry = this.#host.clock.setTimeout(() => void this.start(delay), delay);
  }
}
