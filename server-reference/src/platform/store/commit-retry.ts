import type { Clock, TrackedHandle } from '../clock/clock.ts';
import type { Logger } from '../logger.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { State } from '../state/state.ts';
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

/** Makes commits that must not be lost. While the store cannot write, it tries each again on the clock. */
export class CommitRetry {
  readonly #options: CommitRetryOptions;
  /** Ends the wait of each commit. */
  readonly #waiting = new Set<() => void>();
  #isClosed = false;
  #isFailing = false;

  constructor(options: CommitRetryOptions) {
    this.#options = options;
  }

  /** Whether the store could not write, and has not written since. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /**
   * Commits a change as soon as the store can write. The store has taken back the change of each failed commit.
   *
   * @param work - what the commit belongs to; a virtual clock does not wait for it between two commits
   * @throws the error of a commit that cannot succeed later; after {@link close}, of every failed commit
   */
  async commit<T>(mutate: (state: State) => T, work: TrackedHandle): Promise<DeepReadonly<T>> {
    const { store } = this.#options;
    for (let delay = FIRST_DELAY_MILLISECONDS; ; delay *= 2) {
      try {
        const result = await store.commit(mutate);
        this.#succeeded();
        return result;
      } catch (error) {
        if (!isWriteFailure(error) || this.#isClosed) throw error;
        this.#failed(error);
        await this.#wait(Math.min(delay, MAX_DELAY_MILLISECONDS), work);
        if (this.#isClosed) throw error;
      }
    }
  }

  /** Ends all waits. */
  close(): void {
    this.#isClosed = true;
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
