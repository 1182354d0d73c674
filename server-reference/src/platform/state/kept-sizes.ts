import type { DeliveryFacts, RecordSize, RunFacts } from './facts.ts';
import type { History } from './history-index.ts';
import { approximateBytes } from './json-size.ts';
import { isTerminal } from './run-transitions.ts';

/** The sum of the sizes of some records. */
export type KeptSize = Pick<History<string>, 'size'>;

interface Sized<F> {
  history(isIncluded: (facts: F) => boolean, sizeOf: (facts: F) => RecordSize): KeptSize;
}

/** The tables with records that no prune deletes. */
export interface KeptTables {
  readonly runs: Sized<RunFacts>;
  readonly deliveries: Sized<DeliveryFacts>;
  /** Of these, no prune deletes any. */
  readonly others: readonly Sized<object>[];
}

/** Returns the sizes of what no prune deletes, by table. The events of pending deliveries count with them. */
export function keptSizes({ runs, deliveries, others }: KeptTables): readonly KeptSize[] {
  return [
    runs.history(({ status }) => !isTerminal(status), sizeOf),
    deliveries.history(({ status }) => status === 'pending', sizeOf),
    ...others.map((table) => table.history(() => true, sizeOfWhole)),
  ];
}

/** Returns the size of a record, which its facts have. */
export function sizeOf(facts: RecordSize): RecordSize {
  return facts;
}

/** Returns the size of a record without large values. */
export function sizeOfWhole(record: object): RecordSize {
  return { bytes: approximateBytes(record), largeBytes: 0 };
}
