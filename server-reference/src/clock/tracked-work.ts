import type { TrackedHandle } from './clock.ts';

/**
 * The timeout is divided into at most this number of consecutive timers of at least a millisecond. Between two
 * timers the process reads what has arrived, so that on a busy machine an unread response is not mistaken for
 * a hung endpoint.
 */
const MAX_TURNS = 10;

/**
 * Work in progress that a virtual clock waits for. Network I/O may hang, so the wait ends when nothing has
 * finished for `stallTimeoutMilliseconds` of real time. Such work is not awaited again. It ends at its own deadline,
 * which is a timer of the clock.
 */
export class TrackedWork {
  readonly #stallTimeoutMilliseconds: number;
  readonly #awaited = new Set<Promise<unknown>>();
  #onProgress: () => void = () => {};

  constructor(stallTimeoutMilliseconds: number) {
    this.#stallTimeoutMilliseconds = stallTimeoutMilliseconds;
  }

  /** Adds work to wait for, until it settles. */
  add(work: Promise<unknown>): TrackedHandle {
    let ended = false;
    this.#awaited.add(work);
    const leave = (): void => {
      this.#awaited.delete(work);
      this.#onProgress();
    };
    const end = (): void => {
      ended = true;
      leave();
    };
    work.then(end, end);
    return {
      pause: leave,
      resume: () => {
        if (!ended) this.#awaited.add(work);
      },
    };
  }

  /** Resolves when all work has finished or is considered hung. */
  async settle(): Promise<void> {
    while (this.#awaited.size > 0) {
      const progressed = await this.#progress();
      if (!progressed) this.#awaited.clear();
    }
  }

  #progress(): Promise<boolean> {
    return new Promise((resolve) => {
      const timeout = this.#stallTimeoutMilliseconds;
      const turns = Math.min(MAX_TURNS, Math.max(1, Math.floor(timeout)));
      let left = turns;
      const nextTurn = (): NodeJS.Timeout =>
        setTimeout(() => {
          left -= 1;
          if (left > 0) turn = nextTurn();
          else resolve(false);
        }, timeout / turns);
      let turn = nextTurn();
      this.#onProgress = () => {
        clearTimeout(turn);
        resolve(true);
      };
    });
  }
}
