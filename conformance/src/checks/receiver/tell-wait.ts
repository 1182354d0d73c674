import type { CheckContext } from '../../check-kit/check.ts';

/** At most one line in this time, however many checks wait. */
const PAUSE_MILLISECONDS = 10_000;

const lastTold = new WeakMap<object, number>();

/** Tells the user what a run waits for, unless something was told a moment ago. */
export function tellWait(context: CheckContext, text: string): void {
  const { run, notice } = context;
  const now = context.now();
  if (now - (lastTold.get(run) ?? -Infinity) < PAUSE_MILLISECONDS) return;
  lastTold.set(run, now);
  notice(text);
}

/** A receiver that takes this long on average makes a run take minutes. */
const SLOW = { milliseconds: 1_000, deliveries: 5 };

const took = new WeakMap<object, { deliveries: number; milliseconds: number }>();

/** Tells the user that the receiver is slow, by what its deliveries took so far. */
export function tellSlowness(context: CheckContext, milliseconds: number): void {
  const total = took.get(context.run) ?? { deliveries: 0, milliseconds: 0 };
  took.set(context.run, total);
  total.deliveries += 1;
  total.milliseconds += milliseconds;
  const average = total.milliseconds / total.deliveries;
  if (total.deliveries < SLOW.deliveries || average < SLOW.milliseconds) return;
  const seconds = Math.round(average / 100) / 10;
  tellWait(
    context,
    `The receiver takes about ${seconds} s for a delivery, and a run has hundreds.`,
  );
}
