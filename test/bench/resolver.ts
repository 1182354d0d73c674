import { createTimelineResolver, resolveTimeline } from '@hookproof/receiver/order';
import type { RunEdge, Timeline } from '@hookproof/receiver/order';

import { atMost } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { generateRun, seededRandom, shuffled } from './generated-runs.ts';
import type { GeneratedRun } from './generated-runs.ts';
import { median } from './median.ts';
import { bestOrders, gapsIn, isPermitted } from './permitted-orders.ts';

const RUNS = 1_000_000;
/** Every run with at most this number of events is also tried in every order, one run in twenty. */
const MAX_TRIED = 6;
const ROUNDS = 9;

/** Resolves generated runs of which the history is known, and one long run event by event. */
export const resolver: Bench = {
  title: 'order: generated runs, and one run of 10,000 events',
  run: (processorTime) => Promise.resolve([...judge(), ...costs(processorTime)]),
};

interface Counts {
  wrong: number;
  dependent: number;
  named: number;
  misled: number;
  tried: number;
  unnamed: number;
}

function judge(): readonly Row[] {
  const random = seededRandom(20_260_701);
  const counts = { wrong: 0, dependent: 0, named: 0, misled: 0, tried: 0, unnamed: 0 };
  for (let index = 0; index < RUNS; index += 1) {
    const run = generateRun(random);
    const timeline = resolveTimeline(run.arrived);
    judgeOrder(run, timeline, counts);
    if (index % 20 === 0) judgeByTrying(run, timeline, counts);
  }
  return [
    none(counts.wrong, RUNS, 'wrong order, not named ambiguous', 'history of the generator'),
    none(counts.dependent, RUNS / 20, 'another timeline event by event', 'all events at once'),
    none(counts.unnamed, counts.tried, 'several best orders, not named', 'every order tried'),
    counted(counts.named, RUNS, 'named ambiguous'),
    counted(counts.misled, RUNS, 'fewer gaps than in truth, because of missing events'),
  ];
}

function counted(count: number, total: number, what: string): Row {
  const measured = `${count.toLocaleString('en')} of ${total.toLocaleString('en')}`;
  return { what, measured, against: '', ratio: null, bar: null };
}

function none(count: number, total: number, what: string, against: string): Row {
  return { ...counted(count, total, what), against, bar: atMost(0, count) };
}

/** Where events are missing, another history can have fewer gaps than the true one. It is then the best. */
function judgeOrder({ known, isWhole }: GeneratedRun, timeline: Timeline, counts: Counts): void {
  if (timeline.isAmbiguous) {
    counts.named += 1;
    return;
  }
  if (known.every((edge, index) => edge === timeline.steps[index])) return;
  const isBetter = gapsIn(timeline.steps) < gapsIn(known) && isPermitted(timeline.steps);
  const isComplete = timeline.steps.length === known.length;
  if (!isWhole && isBetter && isComplete) counts.misled += 1;
  else counts.wrong += 1;
}

function judgeByTrying({ known, arrived }: GeneratedRun, timeline: Timeline, counts: Counts): void {
  const again = createTimelineResolver();
  for (const edge of arrived) again.add(edge);
  if (JSON.stringify(again.timeline()) !== JSON.stringify(timeline)) counts.dependent += 1;
  if (known.length > MAX_TRIED) return;
  counts.tried += 1;
  const [best = [], other] = bestOrders(known);
  const isBest = gapsIn(timeline.steps) === gapsIn(best);
  if (!isBest || (other !== undefined && !timeline.isAmbiguous)) counts.unnamed += 1;
}

/** Compares the cost of an event in a run of 10,000 events with that in a run of 1,000. */
function costs(processorTime: () => number): readonly Row[] {
  const random = seededRandom(7);
  const orders = {
    'in order': (run: readonly RunEdge[]) => run,
    'with neighbors swapped': (run: readonly RunEdge[]) =>
      run.map((_, index) => run[index ^ 1] ?? run[index]).filter((edge) => edge !== undefined),
    'in any order': (run: readonly RunEdge[]) => shuffled(run, random),
  };
  return Object.entries(orders).map(([name, arrange]) => {
    const [short, long] = [1_000, 10_000].map((length) => arrange(longRun(length)));
    if (short === undefined || long === undefined) throw new Error('two runs are made');
    addAll(short);
    const each = { short: [] as number[], long: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      each.short.push(
        nanosecondsEach(
          Array.from({ length: 10 }, () => short),
          processorTime,
        ),
      );
      each.long.push(nanosecondsEach([long], processorTime));
    }
    const ratio = median(each.long) / median(each.short);
    return {
      what: `an event of 10,000 that arrive ${name}`,
      measured: `${(median(each.long) / 1_000).toFixed(1)} us`,
      against: `an event of 1,000: ${(median(each.short) / 1_000).toFixed(1)} us`,
      ratio,
      // In any order, each event moves half of the others in memory.
      bar: atMost(name === 'in any order' ? 3 : 2, ratio),
    };
  });
}

function nanosecondsEach(
  runs: readonly (readonly RunEdge[])[],
  processorTime: () => number,
): number {
  const start = processorTime();
  for (const run of runs) addAll(run);
  return (processorTime() - start) / runs.reduce((sum, run) => sum + run.length, 0);
}

function addAll(run: readonly RunEdge[]): void {
  const all = createTimelineResolver();
  for (const edge of run) all.add(edge);
  if (all.timeline().steps.length !== run.length) throw new Error('every event is a step');
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
