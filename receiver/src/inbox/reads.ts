import { isRunId } from '../event-content.ts';
import type { StoredEvent } from '../stores/store.ts';
import { deadLetterFilter } from './filter.ts';
import type { InboxSource } from './source.ts';

const PAGE_LENGTH = 50;
/** How many events of a run are described beyond their step. */
const MAX_DESCRIBED = 100;

/** @throws {TypeError} When there is no such read. */
export function readFor(
  source: InboxSource,
  what: string,
  query: URLSearchParams,
): Promise<unknown> {
  const after = query.get('after');
  const page = { ...(after !== null && { after }), limit: PAGE_LENGTH };
  switch (what) {
    case 'stats':
      return source.stats();
    case 'waiting':
      return source.waiting(page);
    case 'dead':
      return source.deadLetters({ ...page, ...deadLetterFilter(Object.fromEntries(query)) });
    case 'count':
      return countDead(source, query);
    case 'find':
      return find(source, query.get('id')?.trim() ?? '');
    default:
      throw new TypeError(`read must be stats, waiting, dead, count or find, got another.`);
  }
}

/** Counts the dead letters that a filter chooses, before they are changed. */
async function countDead(source: InboxSource, query: URLSearchParams): Promise<object> {
  const filter = deadLetterFilter(Object.fromEntries(query));
  let count = 0;
  let after: string | null = null;
  do {
    const page = await source.deadLetters({
      ...(after !== null && { after }),
      limit: 1_000,
      ...filter,
    });
    count += page.items.length;
    after = page.next;
  } while (after !== null);
  return { count };
}

/** Finds a run, or an event and its run, by id. */
async function find(source: InboxSource, id: string): Promise<object> {
  const event = id === '' ? null : await source.inspect(id);
  const runId = event === null ? id : event.runId;
  const timeline = runId !== null && isRunId(runId) ? await source.timeline(runId) : null;
  if (event === null && timeline === null) return { run: null, event: null };
  if (timeline === null) return { run: null, event };
  const known = [...timeline.steps, ...timeline.impossible].slice(-MAX_DESCRIBED);
  const events = await Promise.all(known.map((edge) => source.inspect(edge.id)));
  const described: readonly StoredEvent[] = events.filter((found) => found !== null);
  return { run: { runId, timeline, events: described }, event };
}
