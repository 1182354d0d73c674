import { resolveTimeline } from '@hookproof/receiver/order';
import type { RunEdge } from '@hookproof/receiver/order';

import { atMost, compareRow } from './bench.ts';
import type { Bench, Series } from './bench.ts';
import { processorRates } from './processor-rates.ts';

/** A lease resolves the events of its run at once. The cost of an event hardly grows with their number. */
export const resolver: Bench = {
  title: 'order of long runs, processor time',
  run() {
    const short = mixedRun(20);
    const long = mixedRun(1_000);
    const rates = processorRates({
      long: () => resolveAll(long),
      short: () => Array.from({ length: long.length / short.length }, () => resolveAll(short)),
    });
    const costs = ({ values }: Series) => values.map((rate) => 1e6 / rate / long.length);
    const row = compareRow(
      { name: 'an event of 1,000 that arrived in any order', values: costs(rates.long) },
      { name: 'an event of 20', values: costs(rates.short) },
      (cost) => `${cost.toFixed(1)} µs`,
      (ratio) => atMost(3, ratio),
    );
    return Promise.resolve([row]);
  },
};

function resolveAll(run: readonly RunEdge[]): void {
  if (resolveTimeline(run).steps.length !== run.length) throw new Error('Each must be a step.');
}

/** A step that meets each place of both lengths once. */
const STRIDE = 7;

/** A run that waits and continues every second, whose events are out of order. */
function mixedRun(length: number): readonly RunEdge[] {
  return Array.from({ length }, (_, place) => {
    const index = (place * STRIDE) % length;
    return {
      id: `whev_${index}`,
      previousStatus: index === 0 ? null : statusAfter(index - 1),
      currentStatus: statusAfter(index),
      createdAt: new Date(1_782_907_200_000 + index * 1_000).toISOString(),
    };
  });
}

function statusAfter(index: number): string {
  return index % 2 === 0 ? 'running' : 'waiting';
}
