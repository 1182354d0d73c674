import { within } from '../../clock.ts';
import type { Clock } from '../../clock.ts';
import { StoreError } from '../store-error.ts';
import type { Connection } from './client.ts';
import type { Script } from './script.ts';

const MAX_REPLY_SECONDS = 5;

/** Calls commands and scripts, and turns every failure into a `StoreError`. */
export class ServerCalls {
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #prefix: string;

  constructor(connection: Connection, clock: Clock, prefix: string) {
    this.#connection = connection;
    this.#clock = clock;
    this.#prefix = prefix;
  }

  /** Runs a script. It is sent whole when the server does not know it, such as after a restart. */
  async run(script: Script, args: readonly (string | Buffer)[]): Promise<unknown> {
    if (!this.#connection.isReady()) throw unavailable('got no connection. It connects again.');
    const rest = ['1', this.#prefix, ...args];
    try {
      return await this.#call(['EVALSHA', script.digest, ...rest]);
    } catch (error) {
      if (!messageOf(error).startsWith('NOSCRIPT')) throw storeError(error);
    }
    return this.command(['EVAL', script.source, ...rest]);
  }

  /** Calls a command, also while the client still connects. */
  async command(args: readonly (string | Buffer)[]): Promise<unknown> {
    try {
      return await this.#call(args);
    } catch (error) {
      throw storeError(error);
    }
  }

  async #call(args: readonly (string | Buffer)[]): Promise<unknown> {
    const timeout = MAX_REPLY_SECONDS * 1_000;
    const reply = await within(this.#connection.call(args), timeout, this.#clock);
    if (reply === null) throw unavailable(`got no reply within ${MAX_REPLY_SECONDS} seconds.`);
    return reply.value;
  }
}

function storeError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const message = messageOf(error);
  // The errors of clients carry the arguments of the command, and with them payloads.
  const cause = new Error(message);
  if (message.startsWith('OOM')) {
    const text = 'Redis must have free memory, got its limit (maxmemory). Raise it.';
    return new StoreError('store_full', text, { cause });
  }
  return unavailable(`got "${message}".`, { cause });
}

function unavailable(received: string, options?: ErrorOptions): StoreError {
  return new StoreError('store_unavailable', `Redis must run and respond, ${received}`, options);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'an unknown error';
}
