import type { Clock, TimerHandle } from '../clock/clock.ts';
import type { Logger } from '../logger.ts';
import { hasExpired, isOver } from '../resources/find.ts';
import type { State } from '../state/state.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Store } from '../store/store.ts';
import { namedHashes } from '../store/sweep.ts';

/** New records are seen this late at most, and a failure is made good; else all are reaped at their millisecond. */
const LONGEST_SLEEP_MILLISECONDS = 3_600_000;

interface ReaperOptions {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Hashes of bytes that stay although no record may name them. */
  readonly kept: Iterable<string>;
}

/** Removes temporary files and uploads whose time is over, and then the bytes that nobody names. */
export interface Reaper {
  /** Waits for what is under way; nothing more is removed. */
  close(): Promise<void>;
}

/** Starts with what fell due, and with the bytes that lost their names, while no server ran. */
export function startReaper({ store, blobs, clock, logger, kept }: ReaperOptions): Reaper {
  let sweptAfter = -1;
  let wakeUp: TimerHandle | undefined;
  let closed = false;
  let working = Promise.resolve();

  async function reap(): Promise<void> {
    if (findOver(store.state, clock.now()).length > 0) {
      await store.commit((state) => {
        for (const { from, id } of findOver(state, clock.now())) delete state[from][id];
      });
    }
    if (store.commits === sweptAfter) return;
    await blobs.sweep(
      () => new Set([...namedHashes(store.state), ...kept]),
      // A commit is durable together with all that were made before it.
      () => store.commit(() => undefined),
    );
    sweptAfter = store.commits;
  }

  async function work(): Promise<void> {
    const sleep = await reap().then(
      () => sleepUntilDue(store.state, clock.now()),
      (error: unknown) => {
        logger.error('temporary files could not be removed; tried again in an hour', error);
        return LONGEST_SLEEP_MILLISECONDS;
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

function findOver(state: State, now: number): Over[] {
  const files = Object.values(state.files).filter((file) => hasExpired(file, now));
  const uploads = Object.values(state.uploads).filter((upload) => isOver(state, upload, now));
  return [
    ...files.map(({ id }): Over => ({ from: 'files', id })),
    ...uploads.map(({ id }): Over => ({ from: 'uploads', id })),
  ];
}

function sleepUntilDue({ files, uploads }: State, now: number): number {
  let sleep = LONGEST_SLEEP_MILLISECONDS;
  const under = Object.values(uploads).filter(({ fileId }) => fileId === null);
  for (const { expiresAt } of [...Object.values(files), ...under]) {
    if (expiresAt !== null) sleep = Math.min(sleep, Date.parse(expiresAt) - now);
  }
  return Math.max(0, sleep);
}
