import type { Clock } from '../../clock.ts';
import { StoreError } from '../store-error.ts';
import type { Connection, OwnConnection } from './client.ts';
import { listIn, numberIn } from './replies.ts';
import { ServerCalls } from './server-calls.ts';

const MAX_WAIT_MILLISECONDS = 4_000;

/**
 * Waits until the server has synced what it executed before, with WAITAOF. It needs a connection of
 * its own, because the command stops everything behind it. Callers that come while one wait is in
 * progress share the next.
 */
export class DiskSync {
  readonly #own: OwnConnection;
  readonly #calls: ServerCalls;
  readonly #fence: string;
  #current: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;
  #restarts = 0;

  private constructor(own: OwnConnection, clock: Clock, prefix: string) {
    this.#own = own;
    own.onReconnecting(() => (this.#restarts += 1));
    this.#calls = new ServerCalls(own, clock, prefix);
    this.#fence = `${prefix}:meta`;
  }

  static async open(connection: Connection, clock: Clock, prefix: string): Promise<DiskSync> {
    return new DiskSync(await connection.duplicate(), clock, prefix);
  }

  /**
   * Writes, and resolves when the write is synced.
   *
   * @throws {StoreError} `store_unavailable` when the server does not sync in time, or restarted
   *   since: then it may have forgotten the write.
   */
  async write<Result>(write: () => Promise<Result>): Promise<Result> {
    const restarts = this.#restarts;
    const result = await write();
    await this.#wait();
    if (this.#restarts === restarts) return result;
    const text = 'Redis must run until it has synced an event, got a lost connection before.';
    throw new StoreError('store_unavailable', text);
  }

  end(): void {
    this.#own.end();
  }

  #wait(): Promise<void> {
    this.#next ??= this.#current
      .catch(() => undefined)
      .then(() => {
        this.#current = this.#sync();
        this.#next = null;
        return this.#current;
      });
    return this.#next;
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
