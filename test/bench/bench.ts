/** One line of the table. */
export interface Row {
  readonly what: string;
  /** What came out, in words with its unit. */
  readonly measured: string;
  /** What it stands beside; empty when beside nothing. */
  readonly against: string;
  readonly ratio: number | null;
  /** The bar of the design, if there is one: what it asks for and whether it is met. */
  readonly bar: { readonly asks: string; readonly met: boolean } | null;
}

/** A measurement of one thing; each has a file of its own and a place in `main.ts`. */
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
