import type { State, Tables } from '../../server-reference/src/store/state.ts';
import type { Table } from '../../server-reference/src/store/table.ts';

type Records = {
  [Name in keyof Tables]: Tables[Name] extends Table<infer _Id, infer T>
    ? Record<string, T>
    : never;
};

/** A state as JSON: records and lists by any text. */
export type StateByText = Pick<State, 'ids' | 'controlToken' | 'defaultWorldId'> & Records;

/** Returns a copy of a state, to read records by any text. */
export function plainState(state: State): StateByText {
  const { ids, controlToken, defaultWorldId, tables } = state;
  const records = Object.entries(tables).map(([name, table]) => [
    name,
    Object.fromEntries(
      [...table.values()].map((record) => ['key' in record ? record.key : record.id, record]),
    ),
  ]);
  return structuredClone({
    ids,
    controlToken,
    defaultWorldId,
    ...Object.fromEntries(records),
  });
}

/** The text as an id of the kind that the context expects. */
export function asId<Expected extends string>(text: string | NoInfer<Expected>): Expected;
export function asId(text: string): string {
  return text;
}
