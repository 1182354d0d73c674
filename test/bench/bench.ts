/** One line of the table. */
export interface Row {
  readonly what: string;
  /** The result with its unit. */
  readonly measured: string;
  /** The peer and its result. Empty if there is none. */
  readonly against: string;
  readonly ratio: number | null;
  /** The target of the design, if there is one, and whether it is met. */
  readonly bar: { readonly asks: string; readonly met: boolean } | null;
}

/** One measurement. Each has its own file and is listed in `main.ts`. */
export interface Bench {
  readonly title: string;
  /** @param processorTime Processor time used so far, in nanoseconds. */
  run(processorTime: () => number): Promise<readonly Row[]>;
}

export function atLeast(least: number, ratio: number): NonNullable<Row['bar']> {
  return { asks: `>= ${least}`, met: ratio >= least };
}

export function atMost(most: number, value: number): NonNullable<Row['bar']> {
  return { asks: `<= ${most}`, met: value <= most };
}
