import type { CheckContext } from '../../../check-kit/check.ts';
import { assumeSuccess } from '../../../check-kit/expect.ts';
import { Inconclusive, Violation } from '../../../verdict/findings.ts';
import { page, readPage } from './lists.ts';
import type { Page, PagedList, Query } from './lists.ts';

const MAX_ROUNDS = 3;
const WHOLE: Query = { limit: 100, offset: 0 };

/** Reads one page. Default query: the largest page from the start. */
export type ReadPage = (query?: Query) => Promise<Page>;

/**
 * Compares pages of a list that other users may change meanwhile. A violation among shared samples counts only if it
 * also occurs in pages that were read again, between two equal readings of the start of the list.
 */
export async function comparePages(
  context: CheckContext,
  list: PagedList,
  compare: (read: ReadPage) => Promise<void>,
): Promise<void> {
  const first = await violationIn(compare((query) => page(context, list, { ...WHOLE, ...query })));
  if (first === null) return;
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const before = await pageNow(context, list, WHOLE);
    const found = await violationIn(
      compare((query) =>
        query === undefined
          ? Promise.resolve(before)
          : pageNow(context, list, { ...WHOLE, ...query }),
      ),
    );
    if (found === null) return;
    if (entriesOf(before) === entriesOf(await pageNow(context, list, WHOLE))) throw found;
  }
  throw new Inconclusive(
    `Cannot judge: ${list.title} changed during each of ${MAX_ROUNDS} comparisons.`,
  );
}

async function violationIn(comparison: Promise<void>): Promise<Violation | null> {
  try {
    await comparison;
    return null;
  } catch (error) {
    if (error instanceof Violation) return error;
    throw error;
  }
}

async function pageNow(context: CheckContext, list: PagedList, query: Query): Promise<Page> {
  const response = await context.api.send({ path: list.path, query });
  assumeSuccess(response);
  return readPage(list, response);
}

/** Which entries a page has, in which status. Their order and their other fields may change at any time. */
function entriesOf({ entries, total }: Page): string {
  const states = entries.map(({ id, status }) => [id, status].join(' '));
  return JSON.stringify([total, states.toSorted()]);
}
