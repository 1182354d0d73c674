import type { DeadLetterFilter } from '../event-filter.ts';
import type { DeadLetterReason } from '../stores/store.ts';
import type { InboxSource } from './source.ts';

/** Dead letters of one cause: the same handler, reason and first line of the message. */
export interface DeadLetterGroup {
  /** The status of the run in the events, as in `pause()`; `null` for events without a run. */
  readonly handler: string | null;
  /** Why nothing handles them any more. */
  readonly reason: DeadLetterReason;
  /** The first line of the message. */
  readonly message: string;
  /** How many there are. */
  readonly count: number;
  /** When the first of them was accepted, in milliseconds since the epoch. */
  readonly oldest: number;
  /** When the last of them was accepted, in milliseconds since the epoch. */
  readonly newest: number;
}

/** The groups of some dead letters, the largest first. */
export interface DeadLetterGroups {
  /** The largest first. */
  readonly groups: readonly DeadLetterGroup[];
  /** False when there are more dead letters than were read. */
  readonly isComplete: boolean;
}

const PAGE_LENGTH = 1_000;
/** How many dead letters are grouped, the oldest ones: more would take seconds at each look. */
const MAX_GROUPED = 10_000;

/**
 * Groups dead letters by their cause, as the page and the command of the inbox show them. It reads the oldest 10,000
 * that match.
 *
 * @throws {TypeError} When the filter is none.
 * @example
 * ```ts
 * import type { Receiver } from '@hookproof/receiver';
 * import { deadLetterGroups } from '@hookproof/receiver/inbox';
 *
 * export async function largestFailure(receiver: Receiver): Promise<string> {
 *   const { groups } = await deadLetterGroups(receiver);
 *   const [largest] = groups;
 *   return largest === undefined ? 'none' : `${largest.count} x ${largest.message}`;
 * }
 * ```
 */
export async function deadLetterGroups(
  source: Pick<InboxSource, 'deadLetters'>,
  filter: DeadLetterFilter = {},
): Promise<DeadLetterGroups> {
  const groups = new Map<string, DeadLetterGroup>();
  let read = 0;
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof source.deadLetters>> = await source.deadLetters({
      ...filter,
      ...(after !== null && { after }),
      limit: PAGE_LENGTH,
    });
    for (const { edge, reason, error, receivedAt } of page.items) {
      const handler = edge?.currentStatus ?? null;
      const message = firstLine(error);
      const key = JSON.stringify([handler, reason, message]);
      const { count = 0, oldest = receivedAt, newest = receivedAt } = groups.get(key) ?? {};
      groups.set(key, {
        handler,
        reason,
        message,
        count: count + 1,
        oldest: Math.min(oldest, receivedAt),
        newest: Math.max(newest, receivedAt),
      });
    }
    read += page.items.length;
    after = page.next;
  } while (after !== null && read < MAX_GROUPED);
  return {
    groups: [...groups.values()].toSorted((a, b) => b.count - a.count || b.newest - a.newest),
    isComplete: after === null,
  };
}

/** Returns the first line of a message. */
function firstLine(message: string): string {
  return /^.*/.exec(message)?.[0] ?? '';
}
