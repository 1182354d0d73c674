import type { AttemptRow } from '@hookproof/spec/control';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { EventSourceMessage } from 'eventsource-parser/stream';

import { UsageError } from '../command-line/errors.ts';

/** The attempts of some deliveries, as the server makes them. */
export interface WatchedAttempts {
  /** Watches these deliveries too, with the attempts that were already made. */
  add(deliveryIds: readonly string[]): void;
  /** The attempts of a delivery, oldest first. */
  of(deliveryId: string): readonly AttemptRow[];
  /** Resolves to true when the condition holds, which may change with an attempt, or to false after the time or the close. */
  until(condition: () => boolean, milliseconds: number): Promise<boolean>;
  close(): void;
}

interface Address {
  readonly controlUrl: string;
  readonly controlToken: string;
  /** Whether the server is that of the command, so that all its attempts are shown when they are made. Default false. */
  readonly isOwn?: boolean;
}

/** Follows the stream of a server. Calls `show` with each attempt of the watched deliveries, once. */
export async function watchAttempts(
  { controlUrl, controlToken, isOwn = false }: Address,
  show: (attempt: AttemptRow) => void,
): Promise<WatchedAttempts> {
  const abort = new AbortController();
  const response = await fetch(`${controlUrl}/stream`, {
    headers: { authorization: `Bearer ${controlToken}` },
    signal: abort.signal,
  });
  if (!response.ok || response.body === null) {
    throw new UsageError(
      `The server must send its stream, got ${response.status}. Close another reader of the stream.`,
    );
  }
  const attempts = new Attempts(show, abort, isOwn);
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .values();
  // The first event says that nothing is missed from here on.
  await events.next();
  void attempts.follow(events);
  return attempts;
}

class Attempts implements WatchedAttempts {
  readonly #show: (attempt: AttemptRow) => void;
  readonly #byDelivery = new Map<string, AttemptRow[]>();
  /** The attempts that are not shown yet, as they were made. */
  #others: AttemptRow[] = [];
  readonly #watched = new Set<string>();
  readonly #listeners = new Set<() => void>();
  readonly #abort: AbortController;
  readonly #isOwn: boolean;

  constructor(show: (attempt: AttemptRow) => void, abort: AbortController, isOwn: boolean) {
    this.#show = show;
    this.#abort = abort;
    this.#isOwn = isOwn;
  }

  close(): void {
    this.#abort.abort();
    for (const listener of this.#listeners) listener();
  }

  async follow(events: AsyncIterable<EventSourceMessage>): Promise<void> {
    try {
      for await (const { event, data } of events) {
        if (event === 'attempt') this.#record(JSON.parse(data));
      }
    } catch {
      // Closed, or the server has stopped: what is missing counts as not sent.
    }
  }

  add(deliveryIds: readonly string[]): void {
    const added = new Set(deliveryIds.filter((id) => !this.#watched.has(id)));
    for (const id of added) this.#watched.add(id);
    const missed = this.#others.filter(({ deliveryId }) => added.has(deliveryId));
    this.#others = this.#others.filter(({ deliveryId }) => !added.has(deliveryId));
    for (const attempt of missed) this.#show(attempt);
  }

  of(deliveryId: string): readonly AttemptRow[] {
    return this.#byDelivery.get(deliveryId) ?? [];
  }

  until(condition: () => boolean, milliseconds: number): Promise<boolean> {
    const { signal } = this.#abort;
    if (condition() || signal.aborted) return Promise.resolve(condition());
    return new Promise((resolve) => {
      const end = (isReached: boolean): void => {
        clearTimeout(timer);
        this.#listeners.delete(look);
        resolve(isReached);
      };
      const look = (): void => {
        if (condition() || signal.aborted) end(condition());
      };
      const timer = setTimeout(() => end(condition()), milliseconds);
      this.#listeners.add(look);
    });
  }

  #record(attempt: AttemptRow): void {
    const { deliveryId } = attempt;
    this.#byDelivery.set(deliveryId, [...this.of(deliveryId), attempt]);
    if (this.#isOwn || this.#watched.has(deliveryId)) this.#show(attempt);
    else this.#others.push(attempt);
    for (const listener of this.#listeners) listener();
  }
}
