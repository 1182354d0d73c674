import type { CheckContext } from '../../check-kit/check.ts';

/** At most one line in this time, however many checks wait. */
const PAUSE_MILLISECONDS = 10_000;

const lastTold = new WeakMap<object, number>();

/** Tells the user what a run waits for, unless something was told a moment ago. */
export function tellWait({ run, notice }: CheckContext, text: string): void {
  const now = performance.now();
  if (now - (lastTold.get(run) ?? -Infinity) < PAUSE_MILLISECONDS) return;
  lastTold.set(run, now);
  notice(text);
}
