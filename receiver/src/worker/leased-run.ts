import { resolveTimeline } from '../order/resolve-timeline.ts';
import type { Timeline } from '../order/resolve-timeline.ts';
import type { LeasedWork, OpenEvent } from '../stores/store.ts';
import type { Handling } from './handle-event.ts';

/** A leased run and the results of handling its events since the lease began. */
export class LeasedRun {
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

  /** Returns true when this is the last unsettled event of a run that has ended, gaps not counted. */
  isEndedBy(event: OpenEvent): boolean {
    const { isTerminal, steps } = this.timeline;
    const others = steps.filter(({ id }) => id !== event.id && this.unsettled.has(id));
    return !this.isSettled && isTerminal && others.length === 0;
  }

  /** Returns the ids of the events to make due at `time`: all except those with a later retry. */
  waitingUntil(time: number): readonly string[] {
    return this.open
      .filter(({ attempts, dueAt }) => attempts === 0 || dueAt < time)
      .map(({ id }) => id);
  }

  /** Records the result of handling an event. */
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
