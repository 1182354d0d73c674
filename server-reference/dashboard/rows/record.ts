import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

import { followers } from '../live/follow.ts';
import type { StreamRow } from '../live/follow.ts';

/** Something that was read, or why it could not be read. Null while it is read first. */
export type Reading<T> = { readonly value: T } | { readonly failed: string } | null;

interface Source<T> {
  readonly read: () => Promise<T>;
  /** Whether a row of the stream changes it. Then it is read again. */
  readonly concerns: (row: StreamRow) => boolean;
}

/**
 * Returns something that is read from the server, and read again when the stream says that it has changed.
 *
 * @param key - names it: with another key, it is read again
 */
export function useRecord<T>(key: string, source: Source<T>): ReadonlySignal<Reading<T>> {
  const record = useMemo(() => new LiveRecord(source), [key]);
  useEffect(() => followers.add(record), [record]);
  return record.reading;
}

class LiveRecord<T> {
  readonly reading = signal<Reading<T>>(null);
  readonly #source: Source<T>;
  #current: Promise<void> | null = null;
  #isOutdated = false;

  constructor(source: Source<T>) {
    this.#source = source;
  }

  readonly apply = (row: StreamRow): void => {
    if (this.#source.concerns(row)) void this.reload();
  };

  /** Reads once more after a current reading, however often it is called meanwhile. */
  readonly reload = (): Promise<void> => {
    this.#isOutdated = true;
    this.#current ??= this.#readAll().finally(() => {
      this.#current = null;
    });
    return this.#current;
  };

  async #readAll(): Promise<void> {
    while (this.#isOutdated) {
      this.#isOutdated = false;
      try {
        this.reading.value = { value: await this.#source.read() };
      } catch (error) {
        this.reading.value = { failed: error instanceof Error ? error.message : String(error) };
      }
    }
  }
}
