import { edgeFromFacts } from './event-content.ts';
import type { RunEdge } from '../order/run-edge.ts';
import type { EventRecord, Page, Store } from '../stores/store.ts';

const PAGE_LENGTH = 1_000;

/** Reads everything that is known of a run, in order of acceptance. */
export async function historyOf(
  store: Pick<Store, 'list'>,
  source: string,
  runId: string,
): Promise<readonly EventRecord[]> {
  const records: EventRecord[] = [];
  let after: string | null = null;
  do {
    const filter = { source, key: runId };
    const page: Page<EventRecord> = await store.list(filter, { after, limit: PAGE_LENGTH });
    records.push(...page.items);
    after = page.next;
  } while (after !== null);
  return records;
}

/** Reads the known steps of a run. */
export async function edgesOf(
  store: Pick<Store, 'list'>,
  source: string,
  runId: string,
): Promise<readonly RunEdge[]> {
  return edgesIn(await historyOf(store, source, runId));
}

export function edgesIn(records: readonly EventRecord[]): readonly RunEdge[] {
  return records.flatMap(({ id, facts }) => edgeFromFacts(id, facts) ?? []);
}
