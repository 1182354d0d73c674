import { find } from './find.ts';

/** The records with these ids, in their order. */
export function recordsOf<T>(ids: readonly string[], records: Readonly<Record<string, T>>): T[] {
  return ids.flatMap((id) => find(records, id) ?? []);
}
