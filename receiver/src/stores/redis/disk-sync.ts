import type { Clock } from '../../clock.ts';
import { StoreError } from '../store-error.ts';
import type { Connection, OwnConnection } from './client.ts';
import { listIn, numberIn } from './replies.ts';
import { ServerCalls } from './server-calls.ts';

const MAX_WAIT_MILLISECONDS = 4_000;

/**
 * Waits until the server has synced what it executed before, with WAITAOF of Redis 7.2. It needs a
 * connection of its own, because the command stops everything behind it. Callers that come while one
 * wait is in progress share the next.
 */
export class DiskSync {
  readonly #own: OwnConnection;
  readonly #calls: ServerCalls;
  readonly #fence: string;
  #current: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  private constructor(own: OwnConnection, clock: Clock, prefix: string) {
    this.#own = own;
    this.#calls = new ServerCalls(own, clock, prefix);
    this.#fence = `${prefix}:meta`;
  }

  static async open(connection: Connection, clock: Clock, prefix: string): Promise<DiskSync> {
    return new DiskSync(await connection.duplicate(), clock, prefix);
  }

  /** @throws {StoreError} `store_unavailable` when the server does not sync in time. */
  wait(): Promise<void> {
    this.#next ??= this.#current
      .catch(() => undefined)
      .then(() => {
        this.#current = this.#sync();
        this.#next = null;
        return this.#current;
      });
    return this.#next;
  }

  end(): void {
    this.#own.end();
  }

  async #sync(): Promise<void> {
    // WAITAOF waits for the last write of its own connection, so this writes after the others.
    await this.#calls.command(['HINCRBY', this.#fence, 'fence', '1']);
    const wait = ['WAITAOF', '1', '0', String(MAX_WAIT_MILLISECONDS)];
    const [synced] = listIn(await this.#calls.command(wait));
    if (numberIn(synced) >= 1) return;
    const text = `Redis must sync within ${MAX_WAIT_MILLISECONDS} ms, got no sync. Check its disk.`;
    throw new StoreError('store_unavailable', text);
  }
}
