import type { Clock, TimerHandle } from '../../clock/clock.ts';
import type { Logger } from '../../logger.ts';
import type { Blobs } from '../../store/blobs.ts';
import type { StoredFile } from '../../store/datasets.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReadonlyState, State } from '../../store/state.ts';
import type { Store } from '../../store/store.ts';
import { hasExpired, removeFile } from './file.ts';

/** The longest delay until new records are noticed and a failed removal is repeated. */
const MAX_SLEEP_MILLISECONDS = 3_600_000;

interface ReaperOptions {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Hashes of bytes that are kept even if no record refers to them. */
  readonly kept: ReadonlySet<string>;
}

/**
 * Removes expired files and uploads, and then the bytes that no record refers to, from {@link Reaper.start} on.
 */
export class Reaper {
  readonly #options: ReaperOptions;
  #wakeUp: TimerHandle | undefined;
  #closed = false;
  #working = Promise.resolve();
  #makingRoom: Promise<void> | null = null;
  #stopWatching: () => void = () => {};

  constructor(options: ReaperOptions) {
    this.#options = options;
  }

  /** Starts with everything that expired while no server was running. */
  start(): void {
    const { clock, blobs } = this.#options;
    this.#stopWatching = clock.onLeap(() => {
      this.#stopWaiting();
      void this.#begin();
    });
    blobs.whenFull?.(() => this.#makeRoom());
    clock.track(this.#begin());
  }

  /** Waits for the current run and starts no other. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopWatching();
    this.#stopWaiting();
    await this.#working;
  }

  #begin(): Promise<void> {
    this.#working = this.#working.then(() => this.#work());
    return this.#working;
  }

  /** All bytes that wait for room share one run. A failed one leaves them without room. */
  #makeRoom(): Promise<void> {
    if (this.#closed) return this.#working;
    this.#makingRoom ??= this.#working
      .then(() => this.#reap())
      .catch((error: unknown) => this.#options.logger.error('No room could be made.', error))
      .finally(() => {
        this.#makingRoom = null;
      });
    this.#working = this.#makingRoom;
    return this.#makingRoom;
  }

  async #work(): Promise<void> {
    const { store, clock, logger } = this.#options;
    const sleep = await this.#reap().then(
      () => {
        const next = nextExpiry(store.state) ?? Number.POSITIVE_INFINITY;
        return Math.min(MAX_SLEEP_MILLISECONDS, Math.max(0, next - clock.now()));
      },
      (error: unknown) => {
        logger.error('Removal of temporary files failed. Next attempt in 1 h.', error);
        return MAX_SLEEP_MILLISECONDS;
      },
    );
    if (!this.#closed) this.#wakeUp = clock.setTimeout(() => this.#begin(), sleep);
  }

  async #reap(): Promise<void> {
    const { store, blobs, clock, kept } = this.#options;
    const next = nextExpiry(store.state);
    if (next !== null && next <= clock.now()) {
      await store.commit((state) => deleteExpired(state, clock.now()));
    }
    await blobs.sweep(
      () => new Set([...kept, ...fileHashes(store.state)]),
      () => store.flush(),
    );
  }

  #stopWaiting(): void {
    if (this.#wakeUp !== undefined) this.#options.clock.clearTimeout(this.#wakeUp);
  }
}

/** Returns when the next file or open upload expires, or null. */
function nextExpiry({ files, uploads }: ReadonlyState): number | null {
  const open = uploads.filter(({ completedAt }) => completedAt === null);
  const dates = [...files.values(), ...open].flatMap(({ expiresAt }) => expiresAt ?? []);
  const [first] = dates.toSorted();
  return first === undefined ? null : Date.parse(first);
}

function deleteExpired(state: State, now: number): void {
  const { files, uploads } = state;
  for (const { id } of files.filter((file) => hasExpired(file, now))) removeFile(state, id);
  uploads.deleteWhere((upload) => upload.completedAt === null && hasExpired(upload, now));
}

/** Returns the hashes of the bytes that records refer to. Add every new reference to files here. */
export function fileHashes(state: ReadonlyState): Set<string> {
  const hashes = new Set<string>();
  const add = (files: readonly DeepReadonly<Pick<StoredFile, 'sha256'>>[]): void => {
    for (const { sha256 } of files) hashes.add(sha256);
  };
  add([...state.files.values()]);
  for (const { object } of state.uploads.values()) if (object !== null) hashes.add(object.sha256);
  for (const { input, expected } of state.examples.values()) add([...input, ...expected]);
  for (const { inputFiles = [], outputFiles, scheduledTransitions } of state.runs.values()) {
    const later = scheduledTransitions.flatMap((step) => step.outputFiles ?? []);
    add([...inputFiles, ...outputFiles, ...later]);
  }
  for (const { expectedFiles } of state.runReviews.values()) add(expectedFiles);
  return hashes;
}
