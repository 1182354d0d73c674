/** One line of the table: a result, maybe beside a peer or floor of the same run. */
export interface Row {
  readonly what: string;
  /** The result with its unit. */
  readonly measured: string;
  /** What else the run gave: of a comparison, the peer or floor and its result. */
  readonly beside?: string;
  /** The result divided by that of the peer or floor. */
  readonly ratio?: number;
  readonly expected: Expected;
}

/** What the design expects, and whether this run shows it. */
interface Expected {
  readonly text: string;
  readonly isMet: boolean;
}

/** A measurement. Each has its own file and is listed in `main.ts`. */
export interface Bench {
  readonly title: string;
  run(): Promise<readonly Row[]>;
}

/** The results of one subject, one for each round. */
export interface Series {
  readonly name: string;
  readonly values: number[];
}

/** What is measured, and the measurement of a round. */
type Subject = readonly [name: string, measure: (round: number) => Promise<number>];

export function atLeast(least: number, value: number): Expected {
  return { text: `>= ${least}`, isMet: value >= least };
}

export function atMost(most: number, value: number): Expected {
  return { text: `<= ${most}`, isMet: value <= most };
}

/** Measures each subject once a round, so that load of the machine affects all. The first round warms up. */
export async function inRounds<Subjects extends readonly Subject[]>(
  rounds: number,
  ...subjects: Subjects
): Promise<{ readonly [Place in keyof Subjects]: Series }> {
  const series = subjects.map(([name]): Series => ({ name, values: [] }));
  for (let round = -1; round < rounds; round += 1) {
    for (const [place, [, measure]] of subjects.entries()) {
      const value = await measure(round);
      if (round >= 0) series[place]?.values.push(value);
    }
  }
  return series as { [Place in keyof Subjects]: Series };
}

/** Compares two subjects by the median of the ratios of their rounds. */
export function compareRow(
  subject: Series,
  peer: Series,
  format: (value: number) => string,
  expect: (ratio: number, value: number) => Expected,
): Row {
  const ratios = subject.values.flatMap((value, round) => {
    const besideIt = peer.values[round];
    return besideIt === undefined ? [] : [value / besideIt];
  });
  const ratio = median(ratios);
  const value = median(subject.values);
  return {
    what: subject.name,
    measured: format(value),
    beside: `${peer.name} ${format(median(peer.values))}`,
    ratio,
    expected: expect(ratio, value),
  };
}

/** Returns the median. For an even number of values, it is the upper one of the two in the middle. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.floor(sorted.length * part)];
  if (value === undefined) throw new Error('There must be a value, got none.');
  return value;
}

export function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')}/s`;
}

export function milliseconds(time: number): string {
  return `${time.toFixed(time < 10 ? 2 : 0)} ms`;
}

/** Calls an action `count` times, at most `callers` at once. Returns the calls per second, and the time of each in milliseconds. */
export async function callAll(
  count: number,
  callers: number,
  action: (index: number) => Promise<unknown>,
): Promise<{ readonly rate: number; readonly times: readonly number[] }> {
  const times: number[] = [];
  let next = 0;
  const call = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      const begun = performance.now();
      await action(index);
      times.push(performance.now() - begun);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: callers }, call));
  return { rate: (count * 1_000) / (performance.now() - start), times };
}
