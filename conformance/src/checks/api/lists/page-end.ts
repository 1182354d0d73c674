import type { Check } from '../../../check-kit/check.ts';
import { expectEqual, violation } from '../../../check-kit/expect.ts';
import { CouldNotRun } from '../../../verdict/findings.ts';
import { comparePages } from '../operations/compare-pages.ts';
import type { ReadPage } from '../operations/compare-pages.ts';
import { listArea, LISTS, needEntries } from '../operations/lists.ts';
import type { Page, PagedList } from '../operations/lists.ts';

/** Pages at the end of a list and beyond it. */
export const pageEndChecks: readonly Check[] = LISTS.flatMap((list) => [
  listArea(list).check({
    name: 'page-of-all',
    requirements: [`${list.area}.page.disjoint`],
    title: `a page of ${list.title} whose limit is the number of entries contains each of them`,
    run: (context) =>
      comparePages(context, list, async (read) => {
        const whole = await wholeList(list, read);
        const exact = await read({ limit: whole.ids.length, offset: 0 });
        const missing = whole.ids.find((id) => !exact.ids.includes(id));
        if (missing === undefined) return;
        throw violation(`${missing} on the page`, 'the page does not contain it', exact.response);
      }),
  }),
  listArea(list).check({
    name: 'last-page',
    requirements: [`${list.area}.page.disjoint`],
    title: `the last page of ${list.title} contains only what no page before it contains`,
    run: (context) =>
      comparePages(context, list, async (read) => {
        const { ids } = await wholeList(list, read);
        const before = await read({ limit: ids.length - 1, offset: 0 });
        const last = await read({ limit: 2, offset: ids.length - 1 });
        const expected = ids.filter((id) => !before.ids.includes(id));
        expectEqual('the ids', last.ids, expected, last.response);
      }),
  }),
  listArea(list).check({
    name: 'page-beyond-end',
    requirements: [`${list.area}.page.disjoint`],
    title: `a page of ${list.title} after the last entry is empty`,
    run: (context) =>
      comparePages(context, list, async (read) => {
        const { ids, response } = await beyondEnd(list, read);
        expectEqual('the ids', ids, [], response);
      }),
  }),
  listArea(list).check({
    name: 'total-beyond-end',
    requirements: [`${list.area}.page.total`],
    title: `total of ${list.title} is the same on a page after the last entry`,
    run: (context) =>
      comparePages(context, list, async (read) => {
        const whole = await wholeList(list, read);
        const { total, response } = await beyondEnd(list, read);
        expectEqual('total', total, whole.total, response);
      }),
  }),
]);

async function beyondEnd(list: PagedList, read: ReadPage): Promise<Page> {
  const { ids } = await wholeList(list, read);
  return read({ limit: 2, offset: ids.length });
}

/** A list of one page, so that its end is known. */
async function wholeList(list: PagedList, read: ReadPage): Promise<Page> {
  const whole = await read();
  needEntries(list, whole, 2);
  if (whole.total <= whole.entries.length) return whole;
  throw new CouldNotRun(
    `${list.title} must fit on one page of 100 entries, got more`,
    `use a key of a tenant with at most 100 entries in ${list.title}`,
  );
}
