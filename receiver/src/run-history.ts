import type { RunEdge } from './order/run-edge.ts';
import type { Timeline } from './order/timeline.ts';
import type { EventRecord, Page, Store } from './stores/store.ts';

/** Resolves the order of a run: what a source with runs brings. */
export type ResolveTimeline = (edges: readonly RunEdge[]) => Timeline;

/**
 * Returns the edge that a source with runs has put into the facts of an event; `null` for an event
 * without a run, of any source.
 */
export function edgeFromFacts(id: string, facts: string | null): RunEdge | null {
  if (facts === null) return null;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `newEvent` or `factsOf` wrote it
  const edge = JSON.parse(facts) as Omit<RunEdge, 'id'> | { readonly createdAt: string };
  return 'currentStatus' in edge ? { id, ...edge } : null;
}

const PAGE_LENGTH = 1_000;

/**
 * Reads everything that is known of a run, in order of acceptance; without a source, of the first
 * that has such a run.
 */
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
  const first = records.find(({ id, facts }) => edgeFromFacts(id, facts) !== null);
  return records.filter((record) => record.source === first?.source);
}

/** Returns the known steps of a run. */
export function edgesIn(records: readonly EventRecord[]): readonly RunEdge[] {
  return records.flatMap(({ id, facts }) => edgeFromFacts(id, facts) ?? []);
}
