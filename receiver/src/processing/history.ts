import type { RunEdge } from '../order/timeline.ts';
import type { EventRecord, Page, Store } from '../stores/store.ts';
import type { Walk } from '../worker/source-work.ts';

const PAGE_LENGTH = 1_000;

/**
 * Reads everything that is known of a run, in order of acceptance; without a source, of the first
 * that has such a run.
 */
export async function eventsOfRun(
  store: Pick<Store, 'list'>,
  source: string | null,
  runId: string,
  { edgeFrom }: Pick<Walk, 'edgeFrom'>,
): Promise<readonly EventRecord[]> {
  const records: EventRecord[] = [];
  let after: string | null = null;
  do {
    const filter = { ...(source !== null && { source }), key: runId };
    const page: Page<EventRecord> = await store.list(filter, { after, limit: PAGE_LENGTH });
    records.push(...page.items);
    after = page.next;
  } while (after !== null);
  const first = records.find(({ id, facts }) => edgeFrom(id, facts) !== null);
  return records.filter((record) => record.source === first?.source);
}

/** Returns the known steps of a run. */
export function edgesIn(
  records: readonly Pick<EventRecord, 'id' | 'facts'>[],
  { edgeFrom }: Pick<Walk, 'edgeFrom'>,
): readonly RunEdge[] {
  return records.flatMap(({ id, facts }) => edgeFrom(id, facts) ?? []);
}
