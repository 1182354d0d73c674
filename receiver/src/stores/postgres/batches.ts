import { nextTurn } from '../../clock.ts';

/**
 * How many statements of one kind are under way at the same time. The server works on one while the
 * next is prepared.
 */
const MAX_STATEMENTS = 2;
const MAX_ITEMS = 512;
const MAX_BYTES = 4 * 1024 * 1024;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface BatchOptions<Item, Result> {
  /** Returns the results of all items, in their order. */
  readonly send: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Tells whether one of the items may be at fault. Then each is sent alone. */
  readonly isAboutOne: (error: unknown) => boolean;
  readonly bytesOf?: (item: Item) => number;
}

/** Sends the calls of one moment together, so that they share a statement and its commit. */
export class Batches<Item, Result> {
  readonly #options: BatchOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  #statements = 0;
  #isScheduled = false;

  constructor(options: BatchOptions<Item, Result>) {
    this.#options = options;
  }

  call(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  /** Waits for the end of this turn, so that everything that is called in it goes together. */
  #schedule(): void {
    const isFull = this.#statements === MAX_STATEMENTS;
    if (this.#isScheduled || isFull || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    void nextTurn().then(() => {
      this.#isScheduled = false;
      this.#statements += 1;
      void this.#send(this.#nextBatch()).finally(() => {
        this.#statements -= 1;
        this.#schedule();
      });
      this.#schedule();
    });
  }

  #nextBatch(): readonly Waiting<Item, Result>[] {
    const { bytesOf = () => 0 } = this.#options;
    let bytes = 0;
    const end = this.#waiting.findIndex(({ item }, index) => {
      bytes += bytesOf(item);
      return index > 0 && (index === MAX_ITEMS || bytes > MAX_BYTES);
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  async #send(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.send(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result === undefined)
          reject(new Error('A statement must have a result for each call.'));
        else resolve(result);
      }
    } catch (error) {
      if (batch.length > 1 && this.#options.isAboutOne(error)) {
        await Promise.all(batch.map((one) => this.#send([one])));
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
  }
}
