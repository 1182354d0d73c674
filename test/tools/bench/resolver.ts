import { resolveTimeline } from '@hookproof/receiver/order';
import type { RunEdge, Timeline } from '@hookproof/receiver/order';

import { atMost, compareRow } from './bench.ts';
import type { Bench, Row, Series } from './bench.ts';
import { generateRun, seededRandom, shuffled } from './generated-runs.ts';
import type { GeneratedRun } from './generated-runs.ts';
import { processorRates } from './processor-rates.ts';

const RUNS = 1_000_000;
/** Milliseconds by which two clocks of the platform may differ. */
const SKEW = 250;
const TERMINAL: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'rejected']);

/** Resolves generated runs of which the history is known, and long runs. */
export const resolver: Bench = {
  title: `order: ${RUNS.toLocaleString('en')} generated runs, and long runs`,
  run: () => Promise.resolve([wrongRow(), costRow()]),
};

function wrongRow(): Row {
  const random = seededRandom(20_260_701);
  const counts = { wrong: 0, ambiguous: 0 };
  for (let index = 0; index < RUNS; index += 1) {
    const run = generateRun(random);
    const timeline = resolveTimeline(run.arrived);
    if (timeline.isAmbiguous) counts.ambiguous += 1;
    else if (isWrong(run, timeline)) counts.wrong += 1;
  }
  return {
    what: 'runs in a wrong order that is not named ambiguous',
    measured: counts.wrong.toLocaleString('en'),
    beside: `history of the generator; named ambiguous: ${counts.ambiguous.toLocaleString('en')}`,
    expected: atMost(0, counts.wrong),
  };
}

/** Where events are missing, another history can have fewer gaps than the true one. It is then the best. */
function isWrong({ history, isWhole }: GeneratedRun, { steps }: Timeline): boolean {
  if (history.every((edge, index) => edge === steps[index])) return false;
  const isBetter = gapsIn(steps) < gapsIn(history) && isPermitted(steps);
  return isWhole || !isBetter || steps.length !== history.length;
}

/** Returns how often an event does not continue the one before it. */
function gapsIn(order: readonly RunEdge[]): number {
  return order.filter(
    ({ previousStatus }, index) => previousStatus !== (order[index - 1]?.currentStatus ?? null),
  ).length;
}

/** Returns true when no two events are in an order that clocks within the skew rule out. */
function isPermitted(order: readonly RunEdge[]): boolean {
  return order.every((edge, index) =>
    order
      .slice(index + 1)
      .every(
        (later) =>
          edge.previousStatus === null ||
          TERMINAL.has(later.currentStatus) ||
          timeOf(edge) <= timeOf(later) + SKEW,
      ),
  );
}

/** With six digits of the second, in milliseconds. */
function timeOf({ createdAt }: RunEdge): number {
  return Date.parse(createdAt) + Number(createdAt.slice(23, 26)) / 1_000;
}

/** A lease resolves the events of its run at once. The cost of an event hardly grows with their number. */
function costRow(): Row {
  const random = seededRandom(7);
  const short = shuffled(longRun(20), random);
  const long = shuffled(longRun(1_000), random);
  const rates = processorRates({
    long: () => resolveAll(long),
    short: () => Array.from({ length: long.length / short.length }, () => resolveAll(short)),
  });
  const costs = ({ values }: Series) => values.map((rate) => 1e6 / rate / long.length);
  return compareRow(
    { name: 'an event of 1,000 that arrived in any order', values: costs(rates.long) },
    { name: 'an event of 20', values: costs(rates.short) },
    (cost) => `${cost.toFixed(1)} µs`,
    (ratio) => atMost(3, ratio),
  );
}

function resolveAll(run: readonly RunEdge[]): void {
  if (resolveTimeline(run).steps.length !== run.length) throw new Error('Each must be a step.');
}

/** A run that waits and continues every second. */
function longRun(length: number): readonly RunEdge[] {
  return Array.from({ length }, (_, index) => ({
    id: `whev_${index}`,
    previousStatus: index === 0 ? null : statusAfter(index - 1),
    currentStatus: statusAfter(index),
    createdAt: new Date(1_782_907_200_000 + index * 1_000).toISOString(),
  }));
}

function statusAfter(index: number): string {
  return index % 2 === 0 ? 'running' : 'waiting';
}
