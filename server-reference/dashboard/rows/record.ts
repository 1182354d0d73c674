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
  /** How long to wait before it is read again. Default: 0. */
  readonly pauseMilliseconds?: number;
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
      const { pauseMilliseconds } = this.#source;
      if (this.reading.value !== null && pauseMilliseconds !== undefined) {
        await pause(pauseMilliseconds);
      }
      this.#isOutdated = false;
      try {
        this.reading.value = { value: await this.#source.read() };
      } catch (error) {
        this.reading.value = { failed: error instanceof Error ? error.message : String(error) };
      }
    }
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
