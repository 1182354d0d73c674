import type { ReviewCorrection } from '@hookproof/spec';

import type { EventRecord } from '../../server-reference/src/platform/state/deliveries.ts';
import type {
  ReviewRecord,
  RunReviewRecord,
} from '../../server-reference/src/platform/state/runs.ts';
import type { State, Tables } from '../../server-reference/src/platform/state/state.ts';
import type { Table } from '../../server-reference/src/platform/state/table.ts';

/** A record whose kept values are small. */
type Plain<T> = T extends EventRecord
  ? Omit<T, 'payload'> & { payload: string }
  : T extends RunReviewRecord
    ? Omit<T, 'review'> & { review: PlainReview | null }
    : T;
type PlainReview = Omit<ReviewRecord, 'corrections'> & { corrections: ReviewCorrection[] };

type Records = {
  [Name in keyof Tables]: Tables[Name] extends Table<string, infer T>
    ? Record<string, Plain<T>>
    : never;
};
type Lists = Record<string, string[]>;

/** A state as JSON: records and lists by any text. */
export type StateByText = Omit<State, keyof Tables | 'listed' | 'datasets' | 'grouped'> &
  Records & { listed: Record<keyof State['listed'], Lists>; datasets: Lists };

/** Returns a copy of a state, to read records by any text. */
export function plainState(state: State): StateByText {
  const { grouped: _grouped, ...members } = state;
  return JSON.parse(JSON.stringify(members));
}

/** Returns a text of a record, of any size. */
export function textIn(kept: unknown): string {
  if (typeof kept === 'string') return kept;
  const { read }: { read?: () => unknown } = Object(kept);
  return String(read?.call(kept));
}

/** The text as an id of the kind that the context expects. */
export function asId<Expected extends string>(text: string | NoInfer<Expected>): Expected;
export function asId(text: string): string {
  return text;
}
