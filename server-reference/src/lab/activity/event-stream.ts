import { Readable } from 'node:stream';

import type { Feed } from './feed.ts';

/** The maximum number of open streams. */
export const MAX_STREAMS = 32;
/** In real time: it keeps proxies from closing an idle stream, and finds readers that are gone. */
const COMMENT_INTERVAL_MILLISECONDS = 15_000;
/** The rows that are written ahead of a reader. The others wait in the feed, once for all readers. */
const BUFFER_BYTES = 16_384;

/** The open streams. */
export class EventStreams {
  readonly #feed: Feed;
  readonly #open = new Set<EventStream>();
  #isClosed = false;

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  /** Opens a stream of the rows after an id. Returns null if {@link MAX_STREAMS} are open. */
  open(lastId: string): Readable | null {
    if (this.#isClosed || this.#open.size >= MAX_STREAMS) return null;
    const stream = new EventStream(this.#feed, lastId);
    this.#open.add(stream);
    stream.once('close', () => this.#open.delete(stream));
    return stream;
  }

  /** Ends all streams, and opens no more. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) stream.destroy();
  }
}

/** The rows of a feed as server-sent events. A reader that falls too far behind gets `reset`. */
class EventStream extends Readable {
  readonly #feed: Feed;
  readonly #unfollow: () => void;
  readonly #comments: NodeJS.Timeout;
  #after: number;
  #isRead = false;
  #wasBlocked = false;

  constructor(feed: Feed, lastId: string) {
    super({ highWaterMark: BUFFER_BYTES });
    this.#feed = feed;
    feed.read();
    this.#unfollow = feed.subscribe((activity) => {
      if (activity !== null) this.#send();
    });
    const { event, reason, after } = feed.startAfter(lastId);
    this.#after = after;
    this.push(`retry: 1000\n${feed.write(event, after, { reason })}`);
    this.#comments = setInterval(() => this.#comment(), COMMENT_INTERVAL_MILLISECONDS).unref();
  }

  override _read(): void {
    this.#isRead = true;
    this.#send();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearInterval(this.#comments);
    this.#unfollow();
    done(error);
  }

  /** Writes what the reader takes. The rest stays in the feed. */
  #send(): void {
    while (this.#isRead) {
      if (!this.#feed.has(this.#after + 1)) {
        this.#after = this.#feed.last;
        const text = this.#feed.write('reset', this.#after, { reason: 'too_slow' });
        this.#isRead = this.push(text);
        continue;
      }
      const text = this.#feed.textOf(this.#after + 1);
      if (text === undefined) return;
      this.#after += 1;
      this.#isRead = this.push(text);
    }
  }

  /** Closes a stream whose reader has taken nothing since the last comment. */
  #comment(): void {
    if (this.#isRead) this.push(':\n\n');
    else if (this.#wasBlocked) this.destroy();
    this.#wasBlocked = !this.#isRead;
  }
}
