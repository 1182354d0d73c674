import type { Clock, TrackedHandle } from '../clock/clock.ts';
import type { Logger } from '../logger.ts';
import type { DeepReadonly } from './read-only.ts';
import type { State } from './state.ts';
import { isWriteFailure } from './store.ts';
import type { Store } from './store.ts';

/** The delay after the first failure. It doubles with each further one. */
const FIRST_DELAY_MILLISECONDS = 250;
const MAX_DELAY_MILLISECONDS = 8_000;

interface CommitRetryOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What waits, for the log. */
  readonly subject: string;
}

/** Makes commits of the server itself. While the state cannot be written, it tries again on the clock, and after any write that succeeds. */
export class CommitRetry {
  readonly #options: CommitRetryOptions;
  /** Ends the wait of each commit. */
  readonly #waiting = new Set<() => void>();
  #isClosed = false;
  #isFailing = false;

  constructor(options: CommitRetryOptions) {
    this.#options = options;
    options.store.onRecovery(() => this.#endWaits());
  }

  /** Whether the store could not write, and has not written since. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /**
   * Commits a change, and resolves when it is written. The change is made once, whatever fails.
   *
   * @param work - what the commit belongs to; a virtual clock does not wait for it between two writes
   * @throws the error of `mutate`; after {@link close}, that of a failed write
   */
  async commit<T>(mutate: (state: State) => T, work: TrackedHandle): Promise<DeepReadonly<T>>;
  async commit(mutate: (state: State) => unknown, work: TrackedHandle): Promise<unknown> {
    const { store } = this.#options;
    let result: unknown;
    let write: Promise<unknown> = store.commit((state) => {
      result = mutate(state);
    }, 'commit');
    for (let delay = FIRST_DELAY_MILLISECONDS; ; delay *= 2) {
      try {
        await write;
        this.#succeeded();
        return result;
      } catch (error) {
        if (!isWriteFailure(error) || this.#isClosed) throw error;
        this.#failed(error);
        await this.#wait(Math.min(delay, MAX_DELAY_MILLISECONDS), work);
        if (this.#isClosed) throw error;
        write = store.flush();
      }
    }
  }

  /** Ends all waits. */
  close(): void {
    this.#isClosed = true;
    this.#endWaits();
  }

  #endWaits(): void {
    for (const end of this.#waiting) end();
  }

  #wait(delayMilliseconds: number, work: TrackedHandle): Promise<void> {
    const { clock } = this.#options;
    return new Promise((resolve) => {
      const end = (): void => {
        clock.clearTimeout(timer);
        this.#waiting.delete(end);
        work.resume();
        resolve();
      };
      const timer = clock.setTimeout(end, delayMilliseconds);
      this.#waiting.add(end);
      work.pause();
    });
  }

  #failed(error: unknown): void {
    const { logger, subject } = this.#options;
    if (!this.#isFailing) logger.error(`${subject} waits until the state can be written.`, error);
    this.#isFailing = true;
  }

  #succeeded(): void {
    const { logger, subject } = this.#options;
    if (this.#isFailing) logger.warn(`${subject} continues: the state is written again.`);
    this.#isFailing = false;
  }
}
