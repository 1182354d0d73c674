import { DEAD_LETTER_REASONS } from '../stores/store.ts';
import type { DeadLetterFilter } from '../stores/store.ts';

/**
 * Reads a filter that a page or a command line sent.
 *
 * @throws {TypeError} When a reason or the ids are none.
 */
export function deadLetterFilter(sent: Readonly<Record<string, unknown>>): DeadLetterFilter {
  const { ids, reason, runId } = sent;
  const known = DEAD_LETTER_REASONS.find((each) => each === reason);
  if (reason !== undefined && known === undefined) {
    throw new TypeError(`reason must be one of ${DEAD_LETTER_REASONS.join(', ')}, got another.`);
  }
  if (runId !== undefined && typeof runId !== 'string') {
    throw new TypeError(`runId must be a text, got ${typeof runId}.`);
  }
  return {
    ...(ids !== undefined && { ids: texts(ids) }),
    ...(known !== undefined && { reason: known }),
    ...(runId !== undefined && { runId }),
  };
}

function texts(ids: unknown): readonly string[] {
  if (Array.isArray(ids) && ids.every((id) => typeof id === 'string')) return ids;
  throw new TypeError('ids must be a list of texts, got another value.');
}
