import type { TrackedHandle, TrackedOptions } from './clock.ts';

/**
 * The share of the timeout after this number of waits in a row in which no work of the group has ended. The
 * last one only lets the process read what has arrived.
 */
const SHARES: readonly { readonly vainWaits: number; readonly share: number }[] = [
  { vainWaits: 8, share: 1 / 500 },
  { vainWaits: 1, share: 1 / 25 },
  { vainWaits: 0, share: 1 },
];

/**
 * The timeout is divided into at most this number of consecutive timers of at least a millisecond. Between two
 * timers the process reads what has arrived, so that on a busy machine an unread response is not mistaken for
 * a hung endpoint.
 */
const MAX_TURNS = 10;

/**
 * Work in progress that a virtual clock waits for. Network I/O may hang, so the wait ends when nothing has
 * finished for `stallTimeoutMilliseconds` of real time, or the largest share of it that pending work has. Such
 * work is not awaited again. It ends at its own deadline, which is a timer of the clock.
 */
export class TrackedWork {
  readonly #stallTimeoutMilliseconds: number;
  /** The pending work, each with its group. */
  readonly #awaited = new Map<Promise<unknown>, string | undefined>();
  readonly #vainWaits = new Map<string, number>();
  #onProgress: () => void = () => {};

  constructor(stallTimeoutMilliseconds: number) {
    this.#stallTimeoutMilliseconds = stallTimeoutMilliseconds;
  }

  /** Adds work to wait for, until it settles. */
  add(work: Promise<unknown>, { group }: TrackedOptions = {}): TrackedHandle {
    let ended = false;
    this.#awaited.set(work, group);
    const leave = (): void => {
      this.#awaited.delete(work);
      this.#onProgress();
    };
    const end = (): void => {
      ended = true;
      if (group !== undefined && this.#awaited.has(work)) this.#vainWaits.delete(group);
      leave();
    };
    work.then(end, end);
    return {
      pause: leave,
      resume: () => {
        if (!ended) this.#awaited.set(work, group);
      },
    };
  }

  /** Resolves when all work has finished or is considered hung. */
  async settle(): Promise<void> {
    while (this.#awaited.size > 0) {
      const progressed = await this.#progress();
      if (!progressed) this.#giveUp();
    }
  }

  #giveUp(): void {
    for (const group of new Set(this.#awaited.values())) {
      if (group !== undefined) this.#vainWaits.set(group, (this.#vainWaits.get(group) ?? 0) + 1);
    }
    this.#awaited.clear();
  }

  #shareOf(group: string | undefined): number {
    const waits = group === undefined ? 0 : (this.#vainWaits.get(group) ?? 0);
    return SHARES.find(({ vainWaits }) => waits >= vainWaits)?.share ?? 1;
  }

  #progress(): Promise<boolean> {
    return new Promise((resolve) => {
      const shares = [...new Set(this.#awaited.values())].map((group) => this.#shareOf(group));
      const timeout = this.#stallTimeoutMilliseconds * Math.max(...shares);
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
