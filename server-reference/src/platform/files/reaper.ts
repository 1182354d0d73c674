import type { Clock, TimerHandle } from '../clock/clock.ts';
import type { Logger } from '../logger.ts';
import { hasExpired } from '../resources/find.ts';
import type { FileId } from '../state/ids.ts';
import { EXPIRING } from '../state/state.ts';
import type { ReadonlyState, State } from '../state/state.ts';
import type { ReadonlyTable } from '../state/table.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Store } from '../store/store.ts';

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

/** Removes expired files and uploads, and then the bytes that no record refers to. */
export interface Reaper {
  /** Waits for the current run and starts no other. */
  close(): Promise<void>;
}

/** Starts with everything that expired while no server was running. */
export function startReaper({ store, blobs, clock, logger, kept }: ReaperOptions): Reaper {
  let sweptAfter = -1;
  let wakeUp: TimerHandle | undefined;
  let closed = false;
  let working = Promise.resolve();

  async function reap(): Promise<void> {
    const next = nextExpiry(store.state);
    if (next !== null && next <= clock.now()) {
      await store.commit((state) => deleteExpired(state, clock.now()));
    }
    if (store.commits === sweptAfter) return;
    await blobs.sweep(
      () => ({
        has: (hash) => kept.has(hash) || store.state.hashes.some((named) => named.has(hash)),
      }),
      // When this commit is durable, so are all earlier ones.
      () => store.commit(() => undefined),
    );
    sweptAfter = store.commits;
  }

  async function work(): Promise<void> {
    const sleep = await reap().then(
      () => {
        const next = nextExpiry(store.state) ?? Number.POSITIVE_INFINITY;
        return Math.min(MAX_SLEEP_MILLISECONDS, Math.max(0, next - clock.now()));
      },
      (error: unknown) => {
        logger.error('Removal of temporary files failed. Next attempt in 1 h.', error);
        return MAX_SLEEP_MILLISECONDS;
      },
    );
    if (!closed) wakeUp = clock.setTimeout(begin, sleep);
  }

  function begin(): Promise<void> {
    working = work();
    return working;
  }

  const stopWatching = clock.onLeap(() => {
    if (wakeUp !== undefined) clock.clearTimeout(wakeUp);
    working = working.then(work);
  });
  clock.track(begin());
  return {
    async close() {
      closed = true;
      stopWatching();
      if (wakeUp !== undefined) clock.clearTimeout(wakeUp);
      await working;
    },
  };
}

/** Returns when the next file or open upload expires, or null. */
function nextExpiry({ expiring, files, uploads }: ReadonlyState): number | null {
  const dates = [
    files.get(expiring.files.of(EXPIRING)[0] ?? '')?.expiresAt,
    uploads.get(expiring.uploads.of(EXPIRING)[0] ?? '')?.expiresAt,
  ].flatMap((date) => (date == null ? [] : Date.parse(date)));
  return dates.length === 0 ? null : Math.min(...dates);
}

function deleteExpired(state: State, now: number): void {
  const { files, uploads, expiring } = state;
  for (const id of expired(expiring.files.of(EXPIRING), files, now)) removeFile(state, id);
  for (const id of expired(expiring.uploads.of(EXPIRING), uploads, now)) uploads.delete(id);
}

/** Returns the first ids of a list, up to a record that has not expired. */
function expired<I extends string>(
  ids: readonly I[],
  records: ReadonlyTable<{ readonly expiresAt: string | null }>,
  now: number,
): I[] {
  const end = ids.findIndex((id) => !hasExpired(records.get(id) ?? { expiresAt: null }, now));
  return ids.slice(0, end === -1 ? ids.length : end);
}

/** Deletes a file and the uploads that created it. */
export function removeFile({ files, uploads, grouped }: State, id: FileId): void {
  for (const uploadId of grouped.uploadsByFile.of(id)) uploads.delete(uploadId);
  files.delete(id);
}
