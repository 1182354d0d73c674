import { within } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { mustBe } from './errors.ts';
import { readSecrets } from './secrets.ts';
import type { ReadSecrets, SecretEncoding } from './secrets.ts';

/** After a failure, and between two reads for signatures that match no secret. */
const MIN_INTERVAL_MILLISECONDS = 1_000;
const MAX_READ_MILLISECONDS = 3_000;

/**
 * Reports that the function `secrets` failed, took longer than 3 seconds, or returned what are no
 * secrets; `cause` is what it threw. Respond with 503, so that the sender retries.
 *
 * @example
 * ```ts
 * import { SecretsUnavailableError } from '@hookproof/receiver/verify';
 *
 * export function statusOf(error: unknown): number {
 *   return error instanceof SecretsUnavailableError ? 503 : 500;
 * }
 * ```
 */
export class SecretsUnavailableError extends Error {
  override readonly name = 'SecretsUnavailableError';
  /** Stable between releases. */
  readonly code = 'secrets_unavailable';
}

/** What was made of the secrets of one read. */
interface ReadKeys<Prepared> {
  readonly count: number;
  readonly prepared: Prepared;
  readonly readAt: number;
}

export interface SecretsCacheSettings<Prepared> {
  readonly read: ReadSecrets;
  readonly encoding: SecretEncoding | undefined;
  readonly cacheMilliseconds: number;
  readonly clock: Pick<Clock, 'monotonic' | 'setTimeout' | 'clearTimeout'>;
  /** Makes what verifies from the keys. */
  readonly prepare: (keys: readonly Uint8Array<ArrayBuffer>[]) => Prepared | Promise<Prepared>;
  /** Called when a read failed and the last known secrets are used further. */
  readonly onStale: (error: SecretsUnavailableError) => void;
}

/** Keeps what the function of an option returned. Callers at the same time share one call of it. */
export class SecretsCache<Prepared> {
  readonly #settings: SecretsCacheSettings<Prepared>;
  #known: ReadKeys<Prepared> | null = null;
  #reading: Promise<ReadKeys<Prepared>> | null = null;
  #failure: { readonly error: SecretsUnavailableError; readonly at: number } | null = null;

  constructor(settings: SecretsCacheSettings<Prepared>) {
    this.#settings = settings;
  }

  /**
   * Returns the position of the secret that matches, -1 for none, and how many there are. When none of the
   * current ones matches, it tries newer ones.
   *
   * @throws {SecretsUnavailableError} When the secrets, or newer ones, cannot be read.
   */
  async match(
    indexOf: (prepared: Prepared) => number | Promise<number>,
  ): Promise<{ readonly secretIndex: number; readonly secretCount: number }> {
    const current = await this.#current();
    const secretIndex = await indexOf(current.prepared);
    if (secretIndex >= 0) return { secretIndex, secretCount: current.count };
    const newer = await this.#newerThan(current);
    if (newer === null) return { secretIndex, secretCount: current.count };
    return { secretIndex: await indexOf(newer.prepared), secretCount: newer.count };
  }

  /**
   * Returns secrets that are not older than the cache time, or the last known ones while they cannot be read.
   *
   * @throws {SecretsUnavailableError} When they cannot be read and none are known.
   */
  async #current(): Promise<ReadKeys<Prepared>> {
    const { clock, cacheMilliseconds, onStale } = this.#settings;
    const known = this.#known;
    if (known === null) return this.#read();
    if (clock.monotonic() - known.readAt < cacheMilliseconds || this.#hasJustFailed()) return known;
    try {
      return await this.#read();
    } catch (error) {
      if (!(error instanceof SecretsUnavailableError)) throw error;
      onStale(error);
      return known;
    }
  }

  /**
   * Reads again after a signature that matched none of these secrets: a new one may be in use. Returns `null`
   * when these are the newest. It reads at most once a second, because strangers can cause it.
   *
   * @throws {SecretsUnavailableError} When newer ones cannot be read.
   */
  async #newerThan(used: ReadKeys<Prepared>): Promise<ReadKeys<Prepared> | null> {
    if (this.#known !== null && this.#known !== used) return this.#known;
    const age = this.#settings.clock.monotonic() - used.readAt;
    return age < MIN_INTERVAL_MILLISECONDS ? null : this.#read();
  }

  #hasJustFailed(): boolean {
    if (this.#failure === null) return false;
    return this.#settings.clock.monotonic() - this.#failure.at < MIN_INTERVAL_MILLISECONDS;
  }

  async #read(): Promise<ReadKeys<Prepared>> {
    if (this.#failure !== null && this.#hasJustFailed()) throw this.#failure.error;
    const reading = (this.#reading ??= this.#readOnce());
    try {
      const inTime = await within(reading, MAX_READ_MILLISECONDS, this.#settings.clock);
      if (inTime !== null) return inTime.value;
    } catch (cause) {
      const received =
        cause instanceof Error ? `${cause.name}: ${cause.message}` : 'a thrown value';
      throw this.#failed(received, cause);
    } finally {
      // The next read calls the function again, also when this call never ends.
      if (this.#reading === reading) this.#reading = null;
    }
    throw this.#failed('no result');
  }

  /** A result that comes after the time limit is used from then on. */
  async #readOnce(): Promise<ReadKeys<Prepared>> {
    const { read, encoding, prepare, clock } = this.#settings;
    const readAt = clock.monotonic();
    const keys = readSecrets(await read(), encoding);
    const result = { count: keys.length, prepared: await prepare(keys), readAt };
    if (this.#known === null || this.#known.readAt <= readAt) {
      this.#known = result;
      this.#failure = null;
    }
    return result;
  }

  #failed(received: string, cause?: unknown): SecretsUnavailableError {
    const expected = `a function that returns the secrets within ${MAX_READ_MILLISECONDS} ms`;
    const error = new SecretsUnavailableError(mustBe('secrets', expected, received), { cause });
    this.#failure = { error, at: this.#settings.clock.monotonic() };
    return error;
  }
}
