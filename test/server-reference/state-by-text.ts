import type { StoredState, Tables } from '../../server-reference/src/store/state.ts';
import type { Table } from '../../server-reference/src/store/table.ts';

type Records = {
  [Name in keyof Tables]: Tables[Name] extends Table<string, infer T> ? Record<string, T> : never;
};
type Lists = Record<string, string[]>;

/** A state as JSON: records and lists by any text. */
export type StateByText = Pick<StoredState, 'ids' | 'controlToken' | 'defaultWorldId'> &
  Records & { listed: Record<keyof StoredState['listed'], Lists>; datasets: Lists };

/** Returns a copy of a state, to read records by any text. */
export function plainState(state: StoredState): StateByText {
  const { ids, controlToken, defaultWorldId, tables, tenants, automations, datasets } = state;
  const records = Object.entries(tables).map(([name, table]) => [
    name,
    Object.fromEntries(
      [...table.values()].map((record) => ['key' in record ? record.key : record.id, record]),
    ),
  ]);
  const listed = Object.entries(state.listed).map(([name, index]) => [
    name,
    lists(index, tenants.values()),
  ]);
  return structuredClone({
    ids,
    controlToken,
    defaultWorldId,
    ...Object.fromEntries(records),
    listed: Object.fromEntries(listed),
    datasets: lists(datasets, automations.values()),
  });
}

interface OrderedIds {
  of(owner: string): readonly string[];
}

function lists(index: OrderedIds, owners: Iterable<{ readonly id: string }>): Lists {
  return Object.fromEntries([...owners].map(({ id }) => [id, [...index.of(id)]]));
}

/** The text as an id of the kind that the context expects. */
export function asId<Expected extends string>(text: string | NoInfer<Expected>): Expected;
export function asId(text: string): string {
  return text;
}
