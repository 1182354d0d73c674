import { randomUUID } from 'node:crypto';

import { StoreError } from '../store-error.ts';
import type { AcceptOutcome, IncomingEvent, StoreHost } from '../store.ts';
import { acceptingEvents } from './accept-events.ts';
import { ACCEPT } from './accept-script.ts';
import type { Connection, OwnConnection } from './client.ts';
import { checkServer } from './durability.ts';
import { textIn } from './replies.ts';
import { LAYOUT_DIGEST } from './script.ts';
import type { Script } from './script.ts';
import { ServerCalls } from './server-calls.ts';

export interface SessionOptions {
  readonly prefix: string;
  readonly isRelaxed: boolean;
}

/** What an open store has: its calls in progress, and the connections of its own. */
export class Session {
  /** Names this store in messages to others, so that it ignores its own. */
  readonly name: string = randomUUID();
  readonly #calls: ServerCalls;
  readonly #accept: ReturnType<typeof acceptingEvents>;
  readonly #connection: Connection;
  readonly #host: StoreHost;
  readonly #options: SessionOptions;
  readonly #stopListening: () => void;
  readonly #inProgress = new Set<Promise<unknown>>();
  #wakes: OwnConnection | null = null;
  #check: Promise<void> | null = null;

  constructor(connection: Connection, host: StoreHost, options: SessionOptions) {
    this.#connection = connection;
    this.#host = host;
    this.#options = options;
    this.#calls = new ServerCalls(connection, host.clock, options.prefix);
    this.#accept = acceptingEvents((args) => this.#calls.run(ACCEPT, [this.name, ...args]));
    // After a restart or a failover the server may be another one, with other settings.
    this.#stopListening = connection.onReconnecting(() => (this.#check = null));
  }

  /** @throws {StoreError} When the server cannot keep events, or another release wrote its keys. */
  async start(): Promise<void> {
    await this.#checkServer();
    await this.#checkSchema();
    const own = await this.#connection.duplicate();
    this.#wakes = own;
    await own.subscribe(`${this.#options.prefix}:wake`, (sender) => {
      if (sender !== this.name) this.#host.wake();
    });
  }

  /** Accepts an event. Also a duplicate waits until the first of its kind is durable. */
  accept(event: IncomingEvent): Promise<AcceptOutcome> {
    const copy = { ...event, body: Buffer.from(event.body) };
    return this.#track(this.#durably(() => this.#accept(copy)));
  }

  run(script: Script, args: readonly string[]): Promise<unknown> {
    return this.#track(this.#calls.run(script, args));
  }

  /** Runs a script whose write must survive a crash of the server. */
  runDurably(script: Script, args: readonly string[]): Promise<unknown> {
    return this.#track(this.#durably(() => this.#calls.run(script, args)));
  }

  /**
   * Waits for what is in progress, then ends its own connections. The client belongs to the user and
   * stays open.
   */
  async stop(): Promise<void> {
    this.#stopListening();
    await Promise.allSettled(this.#inProgress);
    this.#wakes?.end();
  }

  async #track<Result>(work: Promise<Result>): Promise<Result> {
    this.#inProgress.add(work);
    try {
      return await work;
    } finally {
      this.#inProgress.delete(work);
    }
  }

  async #durably<Result>(write: () => Promise<Result>): Promise<Result> {
    await this.#checkServer();
    return write();
  }

  /** Checks once, and again after each lost connection. */
  #checkServer(): Promise<void> {
    if (this.#check === null) {
      const check = checkServer(this.#calls, this.#options.isRelaxed);
      this.#check = check;
      check.catch(() => {
        if (this.#check === check) this.#check = null;
      });
    }
    return this.#check;
  }

  async #checkSchema(): Promise<void> {
    const key = `${this.#options.prefix}:meta`;
    await this.#calls.command(['HSETNX', key, 'schema', LAYOUT_DIGEST]);
    const layout = await this.#calls.command(['HGET', key, 'schema']);
    if (textIn(layout) === LAYOUT_DIGEST) return;
    throw new StoreError(
      'store_schema_mismatch',
      `The keys ${this.#options.prefix}:* must be of this version of @hookproof/receiver, got those of ` +
        'another version. Let that version handle its events, then remove its keys, or give the store ' +
        'another name.',
    );
  }
}
