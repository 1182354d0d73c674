import type { DeadLetterFilter } from '../processing/event-filter.ts';
import type { DeadLetter } from '../processing/stored-event.ts';
import type { DeadLetterReason } from '../stores/store.ts';
import type { InboxSource } from './source.ts';

/** What dead letters of one group have in common. */
export interface DeadLetterCause {
  /** The name of their source. */
  readonly source: string;
  /**
   * The status of the run in the events, or the type of events without a run, as in `pause()`;
   * `null` for test events and for bodies that are no events.
   */
  readonly handler: string | null;
  /** Why nothing handles them any more. */
  readonly reason: DeadLetterReason;
  /** The first line of the message. */
  readonly message: string;
}

/** Dead letters of one cause: the same source, handler, reason and first line of the message. */
export interface DeadLetterGroup extends DeadLetterCause {
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
/** How many dead letters are grouped, the newest ones: more would take seconds at each look. */
const MAX_GROUPED = 10_000;

/**
 * Groups dead letters by their cause, as the page and the command of the inbox show them. It reads
 * the newest 10,000 that match.
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
  let isComplete = true;
  for await (const letters of pagesOf(source, filter)) {
    if (read >= MAX_GROUPED) {
      isComplete = false;
      break;
    }
    read += letters.length;
    for (const letter of letters) {
      const { receivedAt } = letter;
      const cause = causeOf(letter);
      const key = keyOf(cause);
      const { count = 0, oldest = receivedAt, newest = receivedAt } = groups.get(key) ?? {};
      groups.set(key, {
        ...cause,
        count: count + 1,
        oldest: Math.min(oldest, receivedAt),
        newest: Math.max(newest, receivedAt),
      });
    }
  }
  return {
    groups: [...groups.values()].toSorted((a, b) => b.count - a.count || b.newest - a.newest),
    isComplete,
  };
}

/**
 * Redrives or discards the dead letters of one cause that a filter chooses, and returns their
 * number. Others whose message only begins with the same line are left as they are.
 */
export async function changeGroup(
  source: Pick<InboxSource, 'deadLetters' | 'redrive' | 'discard'>,
  change: 'redrive' | 'discard',
  filter: DeadLetterFilter,
  cause: DeadLetterCause,
): Promise<number> {
  const key = keyOf(cause);
  let count = 0;
  const { source: name, reason, message } = cause;
  const narrowed = { ...filter, source: name, reason, message };
  for await (const letters of pagesOf(source, narrowed)) {
    const ids = letters.filter((letter) => keyOf(causeOf(letter)) === key).map(({ id }) => id);
    if (ids.length > 0) count += await source[change]({ source: name, ids });
  }
  return count;
}

/** Reads the dead letters that match page by page, the newest first. */
async function* pagesOf(
  source: Pick<InboxSource, 'deadLetters'>,
  filter: DeadLetterFilter,
): AsyncGenerator<readonly DeadLetter[]> {
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof source.deadLetters>> = await source.deadLetters({
      ...filter,
      ...(after !== null && { after }),
      limit: PAGE_LENGTH,
    });
    if (page.items.length > 0) yield page.items;
    after = page.next;
  } while (after !== null);
}

function causeOf({ source, handler, reason, error }: DeadLetter): DeadLetterCause {
  return { source, handler, reason, message: firstLine(error) };
}

function keyOf({ source, handler, reason, message }: DeadLetterCause): string {
  return JSON.stringify([source, handler, reason, message]);
}

/** Returns the first line of a message. */
function firstLine(message: string): string {
  return /^.*/.exec(message)?.[0] ?? '';
}
