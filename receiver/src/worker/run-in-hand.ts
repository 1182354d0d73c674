import { resolveTimeline } from '../order/resolve-timeline.ts';
import type { Timeline } from '../order/resolve-timeline.ts';
import type { LeasedWork, OpenEvent } from '../stores/store.ts';
import type { Handling } from './handle-event.ts';

/** A leased run, kept in step with what was done since it was taken. */
export class RunInHand {
  readonly work: LeasedWork;
  readonly timeline: Timeline;
  open: readonly OpenEvent[];
  readonly unsettled: Set<string>;
  isSettled: boolean;

  constructor(work: LeasedWork) {
    this.work = work;
    this.timeline = resolveTimeline(work.known.map(({ edge }) => edge));
    this.open = work.open;
    const unsettled = work.known.filter(({ state }) => state !== 'settled');
    this.unsettled = new Set(unsettled.map(({ edge }) => edge.id));
    this.isSettled = work.isRunSettled;
  }

  /** True when nothing but this event is left of a run that has ended, its gaps aside. */
  isEndedBy(event: OpenEvent): boolean {
    const { isTerminal, steps } = this.timeline;
    const others = steps.filter(({ id }) => id !== event.id && this.unsettled.has(id));
    return !this.isSettled && isTerminal && others.length === 0;
  }

  /** Ids of the events that fall due then: all but those whose own failure takes longer. */
  waitingUntil(time: number): readonly string[] {
    return this.open
      .filter(({ attempts, dueAt }) => attempts === 0 || dueAt < time)
      .map(({ id }) => id);
  }

  note(event: OpenEvent, handling: Handling): void {
    if (handling.outcome === 'failed') {
      const attempts = event.attempts + 1;
      const failed = { ...event, attempts, starts: 0, dueAt: handling.dueAt };
      this.open = this.open.map((other) => (other === event ? failed : other));
      return;
    }
    this.open = this.open.filter((other) => other !== event);
    if (handling.outcome !== 'settled') return;
    this.isSettled ||= handling.runSettled;
    this.unsettled.delete(event.id);
  }
}
