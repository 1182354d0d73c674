import { realClock } from '../clock/real-clock.ts';

/**
 * Resolves true once `reached` says so, looking again after each change; false when the time is up, in
 * real time whatever the server's clock, or when the caller has gone.
 */
export function waitUntil(
  reached: () => boolean,
  subscribe: (listener: () => void) => () => void,
  timeoutMilliseconds: number,
  signal: AbortSignal,
): Promise<boolean> {
  const clock = realClock();
  return new Promise((resolve, reject) => {
    if (reached()) return resolve(true);
    const finish = (settle: () => void): void => {
      clock.clearTimeout(timer);
      unsubscribe();
      settle();
    };
    const look = (): void => {
      try {
        if (reached()) finish(() => resolve(true));
      } catch (error) {
        finish(() => reject(error));
      }
    };
    const giveUp = (): void => finish(() => resolve(false));
    const timer = clock.setTimeout(giveUp, timeoutMilliseconds);
    const unsubscribe = subscribe(look);
    signal.addEventListener('abort', giveUp);
  });
}
