/** What a clock gives back for a timer, to clear it with. */
export type TimerHandle = object;

/** Where time comes from. Tests give a clock of their own and move it by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  setTimeout(callback: () => void, delayMilliseconds: number): TimerHandle;
  clearTimeout(handle: TimerHandle): void;
}

/** The clock and the timers of the machine. */
export function realClock(): Clock {
  return {
    now: Date.now,
    setTimeout,
    clearTimeout(handle) {
      if (isTimeout(handle)) clearTimeout(handle);
    },
  };
}

function isTimeout(handle: TimerHandle): handle is NodeJS.Timeout {
  return 'hasRef' in handle;
}
