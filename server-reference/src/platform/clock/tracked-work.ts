import type { TrackedHandle, TrackedOptions } from './clock.ts';

/** How much of the patience there is with work that is doubtful. */
const PATIENCE_IN_DOUBT = 1 / 10;

/**
 * The wait is counted in this many timers, one after the other. On a busy machine each comes late, and
 * between two of them the process reads what has arrived: a response that only had no time to be read
 * is not taken as hung.
 */
const TURNS = 10;

/**
 * Work in progress that a virtual clock waits for. Real input and output may never answer, so the wait
 * ends after `patienceMilliseconds` of real time in which nothing finished, or after a tenth of it when
 * all that is open is doubtful: it is then taken as hung and not waited for again. Its own deadline, a
 * timer, ends it.
 */
export class TrackedWork {
  readonly #patienceMilliseconds: number;
  /** With the share of the patience that there is with each. */
  readonly #awaited = new Map<Promise<unknown>, number>();
  #onProgress: () => void = () => {};

  constructor(patienceMilliseconds: number) {
    this.#patienceMilliseconds = patienceMilliseconds;
  }

  add(work: Promise<unknown>, { isDoubtful = false }: TrackedOptions = {}): TrackedHandle {
    const share = isDoubtful ? PATIENCE_IN_DOUBT : 1;
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
          (this.#patienceMilliseconds * share) / TURNS,
        );
      let turn = nextTurn();
      this.#onProgress = () => {
        clearTimeout(turn);
        resolve(true);
      };
    });
  }
}
