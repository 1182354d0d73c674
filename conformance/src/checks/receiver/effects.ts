import type { SuiteEvent } from '../../signing/run-event.ts';
import { Violation } from '../../verdict/findings.ts';
import type { Observed } from './observed.ts';
import type { RealEvent } from './real-run.ts';

/** How often an event took effect. */
export function effectsOf({ handled }: Observed, { id }: SuiteEvent): number {
  return handled.filter((each) => each === id).length;
}

/** Throws a violation unless the event took effect this often. Default once, or never when its kind is ignored. */
export function expectEffect(
  observed: Observed,
  event: RealEvent,
  what: string,
  times: 0 | 1 = 1,
): void {
  const actual = effectsOf(observed, event);
  if (actual === times || (actual === 0 && !observed.handling.isHandled(event))) return;
  throw new Violation({
    expected: times === 0 ? `no effect of ${what}` : `one effect of ${event.id}, ${what}`,
    actual: actual === 1 ? `one effect of ${event.id}` : `${actual} effects`,
    exchange: observed.response.exchange,
  });
}
