import type { TrackedHandle } from './clock.ts';

/**
 * Work in progress that a virtual clock waits for. Real input and output may never answer, so the wait
 * ends after `patienceMilliseconds` of real time in which nothing finished: what is still open is then
 * taken as hung and not waited for again. Its own deadline, a timer, ends it.
 */
export class TrackedWork {
  readonly #patienceMilliseconds: number;
  readonly #awaited = new Set<Promise<unknown>>();
  #onProgress: () => void = () => {};

  constructor(patienceMilliseconds: number) {
    this.#patienceMilliseconds = patienceMilliseconds;
  }

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

  async settle(): Promise<void> {
    while (this.#awaited.size > 0) {
      const progressed = await this.#progress();
      if (!progressed) this.#awaited.clear();
    }
  }

  #progress(): Promise<boolean> {
    return new Promise((resolve) => {
      const patience = setTimeout(() => resolve(false), this.#patienceMilliseconds);
      this.#onProgress = () => {
        clearTimeout(patience);
        resolve(true);
      };
    });
  }
}
