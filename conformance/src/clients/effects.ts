import { Violation } from '../verdict/findings.ts';
import { monotonicClock } from '../wire/rate.ts';

const MIN_PATIENCE_MILLISECONDS = 5_000;
/** Known defects stand between the suite and a target that has shown its effects before: waiting would not help. */
const PROOF_PATIENCE_MILLISECONDS = 300;
const LAGS_OF_PATIENCE = 3;
/** The lag of a replica varies. */
const MARGIN = 1.25;
const FIRST_PAUSE_MILLISECONDS = 50;
const MAX_PAUSE_MILLISECONDS = 400;

/** How long the effects of writes take until a read shows them, in one run. */
export class Effects {
  readonly #minimum: number;
  #longest: number | null = null;
  #measuring: Promise<void> | null = null;

  constructor({ isProof }: { readonly isProof: boolean }) {
    this.#minimum = isProof ? PROOF_PATIENCE_MILLISECONDS : MIN_PATIENCE_MILLISECONDS;
  }

  /** The longest that was seen, from the response to a write to the read that shows it. Null before the first one. */
  get longestMilliseconds(): number | null {
    return this.#longest;
  }

  /** How long a read that must show an earlier write waits after that. 0 where the first read shows each write. */
  get lagMilliseconds(): number {
    return (this.#longest ?? 0) * MARGIN;
  }

  /** How long an effect may take. */
  get patienceMilliseconds(): number {
    return Math.max(this.#minimum, (this.#longest ?? 0) * LAGS_OF_PATIENCE);
  }

  /** Measures it once in the run. A measurement that fails measures nothing. */
  measure(work: () => Promise<void>): Promise<void> {
    this.#measuring ??= work().catch(() => {});
    return this.#measuring;
  }

  /**
   * Reads what a write has just set until `judge` accepts it, as long as an effect may take. Then throws the violation
   * that it throws. `pause` waits.
   */
  async shown<Value>(
    read: () => Promise<Value>,
    judge: (value: Value) => void,
    pause: (milliseconds: number) => Promise<void>,
  ): Promise<Value> {
    const start = monotonicClock.now();
    let milliseconds = FIRST_PAUSE_MILLISECONDS;
    for (let isFirst = true; ; isFirst = false) {
      const readAt = monotonicClock.now();
      const value = await read();
      try {
        judge(value);
        this.#note(isFirst ? 0 : readAt - start);
        return value;
      } catch (error) {
        const isOver = monotonicClock.now() + milliseconds - start > this.patienceMilliseconds;
        if (!(error instanceof Violation) || isOver) throw error;
      }
      await pause(milliseconds);
      milliseconds = Math.min(milliseconds * 1.5, MAX_PAUSE_MILLISECONDS);
    }
  }

  #note(milliseconds: number): void {
    this.#longest = Math.max(this.#longest ?? 0, milliseconds);
  }
}
