import type { TimerHandle } from '../clock.ts';
import type { Lease } from '../stores/store.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** Renews a lease until the returned function is called. */
export function keepLease(
  lease: Lease,
  { store, clock, leaseMilliseconds }: WorkerSettings,
): () => void {
  let timer: TimerHandle | null = null;
  let isStopped = false;
  const renewLater = (): void => {
    timer = clock.setTimeout(() => {
      store.renew(lease, clock.now() + leaseMilliseconds).then(
        (isHeld) => {
          if (isHeld && !isStopped) renewLater();
        },
        () => {
          // The next renewal may succeed; if none does, the lease expires.
          if (!isStopped) renewLater();
        },
      );
    }, leaseMilliseconds / 3);
  };
  renewLater();
  return () => {
    isStopped = true;
    if (timer !== null) clock.clearTimeout(timer);
  };
}
