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

/** The newest rows in the order in which they happened. Nothing is kept before the first reader. */
export class ActivityFeed {
  /** Tells the numbers of this process from those before a restart. */
  readonly #epoch = randomBytes(4).toString('hex');
  /** The text of row `n` is at `n % MAX_ROWS`. */
  readonly #texts: string[] = [];
  readonly #readers = new Set<() => void>();
  readonly #listeners = new Set<(activity: Activity) => void>();
  /** Called when the feed gets its first reader. */
  #sources: (() => void)[] = [];
  #last = 0;
  #isKept = false;

  /** Calls back when the feed gets its first reader, so that it costs nothing before. */
  onOpen(source: () => void): void {
    this.#sources.push(source);
  }

  publish(activity: Activity): void {
    for (const listener of this.#listeners) listener(activity);
    if (!this.#isKept) return;
    this.#last += 1;
    const { event, data } = activity;
    this.#texts[this.#last % MAX_ROWS] = this.write(event, this.#last, data);
    for (const reader of this.#readers) reader();
  }

  /** Calls back with every later row. */
  listen(listener: (activity: Activity) => void): void {
    this.#listeners.add(listener);
    this.#open();
  }

  /** Calls back after every later row, and keeps rows from now on. Returns a function that unsubscribes. */
  follow(reader: () => void): () => void {
    this.#isKept = true;
    this.#readers.add(reader);
    this.#open();
    return () => this.#readers.delete(reader);
  }

  #open(): void {
    for (const source of this.#sources) source();
    this.#sources = [];
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
