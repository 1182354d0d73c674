import type { ReportProblem } from '../problems.ts';

type AlarmCode = 'deliveries_refused' | 'deliveries_outside_tolerance';

const CONSEQUENCES: Readonly<Record<AlarmCode, string>> = {
  deliveries_refused:
    'A 401 is final, so the sender does not send the event again. Compare `secrets` with the secret ' +
    'of the endpoint, and check that no proxy changes the headers or the body.',
  deliveries_outside_tolerance:
    'The sender retries for a while. Set the clock of this machine, or ask the sender to set theirs.',
};

const WINDOW_MILLISECONDS = 60_000;

/**
 * Reports that deliveries are refused for one cause: at most one problem a minute, and only while the
 * refusals of that minute outnumber its authentic deliveries. A wrong secret is reported at the first
 * delivery, and a stray request beside authentic ones never.
 */
export class RefusalAlarm {
  readonly #code: AlarmCode;
  readonly #report: ReportProblem;
  #windowStart = Number.NEGATIVE_INFINITY;
  #refused = 0;
  #authentic = 0;
  #refusedInARow = 0;
  #isReported = false;

  constructor(code: AlarmCode, report: ReportProblem) {
    this.#code = code;
    this.#report = report;
  }

  /** Counts an authentic delivery. `now` is monotonic. */
  accept(now: number): void {
    this.#roll(now);
    this.#authentic += 1;
    this.#refusedInARow = 0;
  }

  /** Counts a refused delivery. `reason` is the message of the error. */
  refuse(now: number, reason: string): void {
    this.#roll(now);
    this.#refused += 1;
    this.#refusedInARow += 1;
    if (this.#isReported || this.#refused <= this.#authentic) return;
    this.#isReported = true;
    const count = this.#refusedInARow;
    this.#report({
      code: this.#code,
      message:
        `Deliveries must pass verification, got ${count} ${count === 1 ? 'refusal' : 'refusals'} ` +
        `since the last authentic one, the last because: ${reason} ${CONSEQUENCES[this.#code]}`,
      eventId: null,
      runId: null,
    });
  }

  #roll(now: number): void {
    if (now - this.#windowStart < WINDOW_MILLISECONDS) return;
    this.#windowStart = now;
    this.#refused = 0;
    this.#authentic = 0;
    this.#isReported = false;
  }
}
