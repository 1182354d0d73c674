import type { TimerHandle } from '../clock.ts';
import type { Lease } from '../stores/store.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** Renews a lease until the function that it gives back is called. */
export function keepLease(
  lease: Lease,
  { store, clock, leaseMilliseconds }: WorkerSettings,
): () => void {
  let timer: TimerHandle | null = null;
  let isOver = false;
  const renewLater = (): void => {
    timer = clock.setTimeout(() => {
      store.renew(lease, clock.now() + leaseMilliseconds).then(
        (isHeld) => {
          if (isHeld && !isOver) renewLater();
        },
        () => {
          // What could not be written now may be written next time; else the lease runs out.
          if (!isOver) renewLater();
        },
      );
    }, leaseMilliseconds / 3);
  };
  renewLater();
  return () => {
    isOver = true;
    if (timer !== null) clock.clearTimeout(timer);
  };
}
