import { edgeFromFacts } from './event-content.ts';
import type { RunEdge } from '../order/run-edge.ts';
import type { EventRecord, Page, Store } from '../stores/store.ts';

const PAGE_LENGTH = 1_000;

/** Reads everything that is known of a run, in order of acceptance; of any source without one. */
export async function historyOf(
  store: Pick<Store, 'list'>,
  source: string | null,
  runId: string,
): Promise<readonly EventRecord[]> {
  const records: EventRecord[] = [];
  let after: string | null = null;
  do {
    const filter = { ...(source !== null && { source }), key: runId };
    const page: Page<EventRecord> = await store.list(filter, { after, limit: PAGE_LENGTH });
    records.push(...page.items);
    after = page.next;
  } while (after !== null);
  return records;
}

/** Reads the known steps of a run; without a source, of the first that has such a run. */
export async function edgesOf(
  store: Pick<Store, 'list'>,
  source: string | null,
  runId: string,
): Promise<readonly RunEdge[]> {
  const records = await historyOf(store, source, runId);
  const first = records.find(({ id, facts }) => edgeFromFacts(id, facts) !== null);
  return edgesIn(records.filter((record) => record.source === first?.source));
}

export function edgesIn(records: readonly EventRecord[]): readonly RunEdge[] {
  return records.flatMap(({ id, facts }) => edgeFromFacts(id, facts) ?? []);
}
