import { isVirtualClock } from './clock/clock.ts';
import type { Clock, TimerHandle } from './clock/clock.ts';
import type { Closable } from './close-all.ts';
import type { Logger } from './logger.ts';

/** Loads a module, and perhaps more. */
export type LoadModule = () => Promise<unknown>;

/** By then the first responses are sent. */
const DELAY_MILLISECONDS = 1_000;

/**
 * Loads what a start leaves out, one module at a time. Node never loads a module again after one failure, for
 * example without file descriptors, so a server must not wait until it is busy. Under a virtual clock, each module
 * is loaded at its first use instead, because the timer would show in the time that users see.
 *
 * @param modules - called when their time has come
 */
export function loadAhead(
  modules: () => readonly LoadModule[],
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Closable {
  let isClosed = false;
  const loadAll = async (): Promise<void> => {
    for (const load of modules()) {
      // Requests that arrived meanwhile come first.
      await new Promise(setImmediate);
      if (isClosed) return;
      await load().catch((error: unknown) => logger.error('A module cannot be loaded.', error));
    }
  };
  const timer: TimerHandle | null = isVirtualClock(clock)
    ? null
    : clock.setTimeout(() => void loadAll(), DELAY_MILLISECONDS);
  return {
    close() {
      isClosed = true;
      if (timer !== null) clock.clearTimeout(timer);
    },
  };
}
