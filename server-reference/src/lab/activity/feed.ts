import { randomBytes } from 'node:crypto';

import type { StreamEvent, StreamReady, StreamReset } from '@hookproof/spec/control';

type WithoutId<T> = T extends StreamEvent ? Pick<T, 'event' | 'data'> : never;

/** Something that happened on the server: an event of the stream without its place. */
export type Activity = WithoutId<Exclude<StreamEvent, StreamReady | StreamReset>>;

/** How many of the newest rows a stream can resume after. */
const MAX_ROWS = 10_000;

/** Where a stream starts, and why. */
export interface Start {
  readonly event: 'ready' | 'reset';
  readonly reason: 'new' | 'resumed' | 'unknown_id' | 'too_old';
  /** The number of the last row that the reader has. */
  readonly after: number;
}

/**
 * The one notifier of the lab: what changed, with a row for what the stream shows. Rows are made and kept once somebody
 * reads them.
 */
export class Feed {
  /** Tells the numbers of this process from those before a restart. */
  readonly #epoch = randomBytes(4).toString('hex');
  /** The text of row `n` is at `n % MAX_ROWS`. */
  readonly #texts: string[] = [];
  readonly #listeners = new Set<(activity: Activity | null) => void>();
  #last = 0;
  #isRead = false;

  /** Whether rows are made. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Makes and keeps rows from now on. */
  read(): void {
    this.#isRead = true;
  }

  /** Tells a change. A row is kept if somebody reads rows. */
  publish(activity: Activity): void {
    if (this.#isRead) {
      this.#last += 1;
      const { event, data } = activity;
      this.#texts[this.#last % MAX_ROWS] = this.write(event, this.#last, data);
    }
    this.#tell(activity);
  }

  /** Tells a change that has no row. */
  readonly announce = (): void => this.#tell(null);

  /** Calls back after every later change, with its row or null. Returns a function that unsubscribes. */
  readonly subscribe = (listener: (activity: Activity | null) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #tell(activity: Activity | null): void {
    for (const listener of this.#listeners) listener(activity);
  }

  /** Decides where a stream starts whose reader last received this id. An empty id is none. */
  startAfter(lastId: string): Start {
    if (lastId === '') return { event: 'ready', reason: 'new', after: this.#last };
    const [epoch, digits = ''] = lastId.split('-');
    const after = /^[0-9]{1,15}$/.test(digits) ? Number(digits) : Number.NaN;
    if (epoch !== this.#epoch || !(after <= this.#last)) {
      return { event: 'reset', reason: 'unknown_id', after: this.#last };
    }
    if (!this.has(after + 1)) return { event: 'reset', reason: 'too_old', after: this.#last };
    return { event: 'ready', reason: 'resumed', after };
  }

  /** Returns whether no row from this number on is lost. */
  has(number: number): boolean {
    return number > this.#last - MAX_ROWS;
  }

  /** Returns the text of a row, or undefined if it has not happened. Ask {@link has} first. */
  textOf(number: number): string | undefined {
    return number > this.#last ? undefined : this.#texts[number % MAX_ROWS];
  }

  get last(): number {
    return this.#last;
  }

  /** Returns a server-sent event. JSON has no line breaks. */
  write(event: string, number: number, data: object): string {
    return `id: ${this.#epoch}-${number}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
  }
}
