import type { Check } from '../../../check-kit/check.ts';
import { expectEqual, violation } from '../../../check-kit/expect.ts';
import { judgeEach } from '../../../check-kit/values.ts';
import { NotApplicable } from '../../../verdict/findings.ts';
import { comparePages } from '../operations/compare-pages.ts';
import type { ReadPage } from '../operations/compare-pages.ts';
import { listArea, LISTS, needEntries } from '../operations/lists.ts';
import type { Page, PagedList } from '../operations/lists.ts';

const PAGES = 3;
const MAX_LIMIT = 100;

/** Compares pages of a list. Throws the violation that it finds. */
type Compare = (list: PagedList, read: ReadPage) => Promise<void>;

const PAGES_OF_A_LIST: Readonly<Record<string, Compare>> = {
  'pages at successive offsets': expectEachOnce,
  'a page whose limit is the number of entries': expectAllOnOne,
  'the last page': expectLast,
  'a page after the last entry': async (list, read) => {
    const { ids, response } = await beyondEnd(list, read);
    expectEqual('the ids', ids, [], response);
  },
};

const TOTALS: Readonly<Record<string, Compare>> = {
  'pages with entries': expectTotal,
  'a page after the last entry': async (list, read) => {
    const whole = await wholeList(list, read);
    const { total, response } = await beyondEnd(list, read);
    expectEqual('total', total, whole.total, response);
  },
};

/** Several pages together, and the number of all entries. */
export const pagesChecks: readonly Check[] = LISTS.flatMap((list) => [
  compares(list, 'pages', 'page.disjoint', PAGES_OF_A_LIST, {
    title: `pages of ${list.title} share no entry and together contain every entry, to the end of a list of at most ${MAX_LIMIT}`,
  }),
  compares(list, 'total', 'page.total', TOTALS, {
    title: `total of ${list.title} counts the entries of all pages, on each page`,
  }),
]);

function compares(
  list: PagedList,
  name: string,
  requirement: string,
  comparisons: Readonly<Record<string, Compare>>,
  { title }: Pick<Check, 'title'>,
): Check {
  return listArea(list).check({
    name,
    requirements: [`${list.area}.${requirement}`],
    title,
    run: (context) =>
      judgeEach(
        Object.entries(comparisons),
        ([words]) => words,
        ([, compare]) => comparePages(context, list, (read) => compare(list, read)),
      ),
  });
}

/** The entries of the first page, in smaller pages. */
async function expectEachOnce(list: PagedList, read: ReadPage): Promise<void> {
  const whole = await read();
  needEntries(list, whole, 2);
  const limit = Math.ceil(whole.entries.length / PAGES);
  const seen = new Set<string>();
  let last = whole;
  for (let offset = 0; offset < whole.entries.length; offset += limit) {
    last = await read({ limit, offset });
    const twice = last.ids.find((id) => seen.has(id));
    if (twice !== undefined) throw violation('no entry of an earlier page', twice, last.response);
    for (const id of last.ids) seen.add(id);
  }
  const missing = whole.ids.find((id) => !seen.has(id));
  if (missing === undefined) return;
  throw violation(`${missing} on one of the pages`, 'it is on none', last.response);
}

async function expectAllOnOne(list: PagedList, read: ReadPage): Promise<void> {
  const whole = await wholeList(list, read);
  const exact = await read({ limit: whole.ids.length, offset: 0 });
  const missing = whole.ids.find((id) => !exact.ids.includes(id));
  if (missing === undefined) return;
  throw violation(`${missing} on the page`, 'the page does not contain it', exact.response);
}

/** The last page contains only what no page before it contains. */
async function expectLast(list: PagedList, read: ReadPage): Promise<void> {
  const { ids } = await wholeList(list, read);
  const before = await read({ limit: ids.length - 1, offset: 0 });
  const last = await read({ limit: 2, offset: ids.length - 1 });
  const expected = ids.filter((id) => !before.ids.includes(id));
  expectEqual('the ids', last.ids, expected, last.response);
}

async function expectTotal(_list: PagedList, read: ReadPage): Promise<void> {
  const whole = await read();
  if (whole.entries.length < MAX_LIMIT) {
    expectEqual('total', whole.total, whole.entries.length, whole.response);
  }
  const one = await read({ limit: 1, offset: 0 });
  expectEqual('the total of the page with limit=100:', one.total, whole.total, one.response);
}

async function beyondEnd(list: PagedList, read: ReadPage): Promise<Page> {
  const { ids } = await wholeList(list, read);
  return read({ limit: 2, offset: ids.length });
}

/** A list of one page, so that its end is known. */
async function wholeList(list: PagedList, read: ReadPage): Promise<Page> {
  const whole = await read();
  needEntries(list, whole, 2);
  if (whole.total <= whole.entries.length) return whole;
  throw new NotApplicable(`${list.title} has more than ${MAX_LIMIT} entries`);
}
