import type { EventRecord } from './deliveries.ts';
import { keep, LargeValue, readReference } from './large-value.ts';
import type { LargeValueSource } from './large-value.ts';
import type { RunRecord, RunReviewRecord } from './runs.ts';

/** A kept value in a record: the object that has it, and its name there. */
type Place = readonly [holder: object, name: string];

/** The places of the kept values of each table that has some. Add every member of the type `Kept` here. */
const PLACES: ReadonlyMap<string, (record: never) => Place[]> = new Map<
  string,
  (record: never) => Place[]
>([
  ['runs', placesOfRun],
  ['events', (event: EventRecord) => [[event, 'payload']]],
  ['runReviews', placesOfReview],
]);

function placesOfRun(run: RunRecord): Place[] {
  const steps = run.scheduledTransitions.map((step): Place => [step, 'output']);
  return [[run, 'input'], [run, 'output'], ...steps];
}

function placesOfReview({ review }: RunReviewRecord): Place[] {
  if (review === null) return [];
  return ['note', 'corrections', 'correctedOutput'].map((name) => [review, name]);
}

function placesOf(table: string, record: object): Place[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table names the kind of record
  return PLACES.get(table)?.(record as never) ?? [];
}

/** Returns the large values of a record. */
export function largeValuesOf(table: string, record: object | undefined): LargeValue[] {
  if (record === undefined) return [];
  return placesOf(table, record).flatMap(([holder, name]) => {
    const value: unknown = Reflect.get(holder, name);
    return value instanceof LargeValue ? [value] : [];
  });
}

/** Puts the large values of a stored record in the places of their references. */
export function restoreLargeValues(table: string, record: object, source: LargeValueSource): void {
  for (const [holder, name] of placesOf(table, record)) {
    const reference = readReference(Reflect.get(holder, name));
    if (reference !== null) Reflect.set(holder, name, LargeValue.stored(reference, source));
  }
}

/** Takes the large values out of a record of a format that had all values in the records. */
export function keepLargeValues(table: string, record: object): void {
  for (const [holder, name] of placesOf(table, record)) {
    const value: unknown = Reflect.get(holder, name);
    if (value !== undefined) Reflect.set(holder, name, keep(value));
  }
}
