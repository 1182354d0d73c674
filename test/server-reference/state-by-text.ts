import type { State, Tables } from '../../server-reference/src/platform/state/state.ts';
import type { Table } from '../../server-reference/src/platform/state/table.ts';

type Records = {
  [Name in keyof Tables]: Tables[Name] extends Table<string, infer T> ? Record<string, T> : never;
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

/** The text as an id of the kind that the context expects. */
export function asId<Expected extends string>(text: string | NoInfer<Expected>): Expected;
export function asId(text: string): string {
  return text;
}
