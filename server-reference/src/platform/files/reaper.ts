import type { Clock, TimerHandle } from '../clock/clock.ts';
import type { Logger } from '../logger.ts';
import { hasExpired, isOver } from '../resources/find.ts';
import type { ReadonlyState } from '../state/state.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Store } from '../store/store.ts';
import { namedHashes } from '../store/sweep.ts';

/** The longest delay until new records are noticed and a failed run is repeated. */
const MAX_SLEEP_MILLISECONDS = 3_600_000;

interface ReaperOptions {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Hashes of bytes that are kept even if no record refers to them. */
  readonly kept: Iterable<string>;
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
    if (findOver(store.state, clock.now()).length > 0) {
      await store.commit((state) => {
        const records: Record<Over['from'], Record<string, unknown>> = state;
        for (const { from, id } of findOver(state, clock.now())) delete records[from][id];
      });
    }
    if (store.commits === sweptAfter) return;
    await blobs.sweep(
      () => new Set([...namedHashes(store.state), ...kept]),
      // When this commit is durable, so are all earlier ones.
      () => store.commit(() => undefined),
    );
    sweptAfter = store.commits;
  }

  async function work(): Promise<void> {
    const sleep = await reap().then(
      () => sleepUntilDue(store.state, clock.now()),
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

  clock.track(begin());
  return {
    async close() {
      closed = true;
      if (wakeUp !== undefined) clock.clearTimeout(wakeUp);
      await working;
    },
  };
}

type Over = { readonly from: 'files' | 'uploads'; readonly id: string };

function findOver(state: ReadonlyState, now: number): Over[] {
  const files = Object.values(state.files).filter((file) => hasExpired(file, now));
  const uploads = Object.values(state.uploads).filter((upload) => isOver(state, upload, now));
  return [
    ...files.map(({ id }): Over => ({ from: 'files', id })),
    ...uploads.map(({ id }): Over => ({ from: 'uploads', id })),
  ];
}

function sleepUntilDue({ files, uploads }: ReadonlyState, now: number): number {
  let sleep = MAX_SLEEP_MILLISECONDS;
  const open = Object.values(uploads).filter(({ fileId }) => fileId === null);
  for (const { expiresAt } of [...Object.values(files), ...open]) {
    if (expiresAt !== null) sleep = Math.min(sleep, Date.parse(expiresAt) - now);
  }
  return Math.max(0, sleep);
}
