import type { TrackedHandle, TrackedOptions } from './clock.ts';

/** The share of the timeout for doubtful work. */
const DOUBTFUL_SHARE = 1 / 10;

/**
 * The timeout is divided into this number of consecutive timers. Between two timers the process reads what
 * has arrived, so that on a busy machine an unread response is not mistaken for a hung endpoint.
 */
const TURNS = 10;

/**
 * Work in progress that a virtual clock waits for. Network I/O may hang, so the wait ends when nothing has
 * finished for `stallTimeoutMilliseconds` of real time, or a tenth of it if all pending work is doubtful. Such work
 * is not awaited again. It ends at its own deadline, which is a timer of the clock.
 */
export class TrackedWork {
  readonly #stallTimeoutMilliseconds: number;
  /** The pending work, each with its share of the timeout. */
  readonly #awaited = new Map<Promise<unknown>, number>();
  #onProgress: () => void = () => {};

  constructor(stallTimeoutMilliseconds: number) {
    this.#stallTimeoutMilliseconds = stallTimeoutMilliseconds;
  }

  /** Adds work to wait for, until it settles. */
  /** Adds work to wait for, until it settles. */
  /** Adds work to wait for, until it settles. */
  add(work: Promise<unknown>, { isDoubtful = false }: TrackedOptions = {}): TrackedHandle {
    const share = isDoubtful ? DOUBTFUL_SHARE : 1;
    let ended = false;
    this.#awaited.set(work, share);
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
        if (!ended) this.#awaited.set(work, share);
      },
    };
  }

  /** Resolves when all work has finished or is considered hung. */
  /** Resolves when all work has finished or is considered hung. */
  /** Resolves when all work has finished or is considered hung. */
  async settle(): Promise<void> {
    while (this.#awaited.size > 0) {
      const progressed = await this.#progress();
      if (!progressed) this.#awaited.clear();
    }
  }

  #progress(): Promise<boolean> {
    return new Promise((resolve) => {
      const share = Math.max(...this.#awaited.values());
      let left = TURNS;
      const nextTurn = (): NodeJS.Timeout =>
        setTimeout(
          () => {
            left -= 1;
            if (left > 0) turn = nextTurn();
            else resolve(false);
          },
          (this.#stallTimeoutMilliseconds * share) / TURNS,
        );
      let turn = nextTurn();
      this.#onProgress = () => {
        clearTimeout(turn);
        resolve(true);
      };
    });
  }
}
