import type { ReportProblem } from '../problems.ts';

type AlarmCode = 'deliveries_refused' | 'deliveries_outside_tolerance';

const CONSEQUENCES: Readonly<Record<AlarmCode, string>> = {
  deliveries_refused:
    'A 401 is final: the sender does not send the event again. Compare `secrets` with the secret of ' +
    'the endpoint, and check that no proxy changes headers or body.',
  deliveries_outside_tolerance:
    'The sender retries for a while. Set the clock of this machine; if it is right, report it to the sender.',
};

const WINDOW_MILLISECONDS = 60_000;

/**
 * Reports refused deliveries while those of the last minute outnumber the authentic ones. A wrong
 * secret is so reported at the first delivery, and a stray request beside authentic ones is not.
 */
export class RefusalAlarm {
  readonly #report: ReportProblem;
  #windowStart = Number.NEGATIVE_INFINITY;
  #refused = 0;
  #authentic = 0;

  constructor(report: ReportProblem) {
    this.#report = report;
  }

  /** Counts an authentic delivery. `now` is monotonic. */
  accept(now: number): void {
    this.#roll(now);
    this.#authentic += 1;
  }

  /** Counts a refused delivery. `reason` is the message of the error. */
  refuse(now: number, code: AlarmCode, reason: string): void {
    this.#roll(now);
    this.#refused += 1;
    if (this.#refused <= this.#authentic) return;
    const message = `Most deliveries are refused. ${reason} ${CONSEQUENCES[code]}`;
    this.#report({ code, message, eventId: null, runId: null });
  }

  #roll(now: number): void {
    if (now - this.#windowStart < WINDOW_MILLISECONDS) return;
    this.#windowStart = now;
    this.#refused = 0;
    this.#authentic = 0;
  }
}
