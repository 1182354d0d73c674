import { assertDelay } from './clock.ts';
import type { Clock, TimerCallback, TimerHandle, TrackedHandle } from './clock.ts';

class RealTimer implements TimerHandle {
  readonly dueAt: number;
  readonly timeout: NodeJS.Timeout;

  constructor(callback: TimerCallback, delayMilliseconds: number) {
    this.dueAt = Date.now() + delayMilliseconds;
    this.timeout = setTimeout(() => void callback(), delayMilliseconds);
  }
}

const NOTHING_TO_WAIT_FOR: TrackedHandle = { pause() {}, resume() {} };

/** The clock of the machine. A callback's promise is its own affair: let it handle its failures. */
export function realClock(): Clock {
  return {
    now: () => Date.now(),
    setTimeout(callback, delayMilliseconds) {
      assertDelay(delayMilliseconds);
      return new RealTimer(callback, delayMilliseconds);
    },
    clearTimeout(handle) {
      if (handle instanceof RealTimer) clearTimeout(handle.timeout);
    },
    track: () => NOTHING_TO_WAIT_FOR,
  };
}
