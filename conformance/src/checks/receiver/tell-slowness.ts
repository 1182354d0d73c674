import type { CheckContext } from '../../check-kit/check.ts';

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
  context.notice(`The receiver takes about ${seconds} s for a delivery, and a run has hundreds.`);
}
