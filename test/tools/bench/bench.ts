/** One line of the table: a result beside a peer or floor of the same run. */
export interface Row {
  readonly what: string;
  /** The result with its unit. */
  readonly measured: string;
  /** The peer or floor and its result. */
  readonly beside: string;
  readonly ratio: number | null;
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

export function atLeast(least: number, value: number): Expected {
  return { text: `>= ${least}`, isMet: value >= least };
}

export function atMost(most: number, value: number): Expected {
  return { text: `<= ${most}`, isMet: value <= most };
}

/** Measures each subject once a round, so that load of the machine affects all. The first round warms up. */
export async function inRounds(
  rounds: number,
  subjects: Readonly<Record<string, (round: number) => Promise<number>>>,
): Promise<readonly Series[]> {
  const series = Object.keys(subjects).map((name): Series => ({ name, values: [] }));
  for (let round = -1; round < rounds; round += 1) {
    for (const { name, values } of series) {
      const value = (await subjects[name]?.(round)) ?? NaN;
      if (round >= 0) values.push(value);
    }
  }
  return series;
}

const NONE: Series = { name: 'nothing', values: [] };

/** Compares two subjects by the median of the ratios of their rounds. */
export function compareRow(
  subject: Series = NONE,
  peer: Series = NONE,
  format: (value: number) => string,
  expect: (ratio: number, value: number) => Expected,
): Row {
  const ratio = median(subject.values.map((value, round) => value / (peer.values[round] ?? NaN)));
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
  return sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
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
