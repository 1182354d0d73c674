import type { Check } from '../../../check-kit/check.ts';
import { violation } from '../../../check-kit/expect.ts';
import { comparePages } from '../operations/compare-pages.ts';
import type { ReadPage } from '../operations/compare-pages.ts';
import { listArea, LISTS, needEntries } from '../operations/lists.ts';
import type { Page, PagedList } from '../operations/lists.ts';

const PAGES = 3;

/** Several pages together. */
export const pageWalkChecks: readonly Check[] = LISTS.flatMap((list) => [
  listArea(list).check({
    name: 'pages-disjoint',
    requirements: [`${list.area}.page.disjoint`],
    title: `pages of ${list.title} at successive offsets share no entry`,
    run: (context) =>
      comparePages(context, list, async (read) => {
        const seen = new Set<string>();
        for (const { ids, response } of await walk(list, read)) {
          const twice = ids.find((id) => seen.has(id));
          if (twice !== undefined) {
            throw violation('no entry of an earlier page', twice, response);
          }
          for (const id of ids) seen.add(id);
        }
      }),
  }),
  listArea(list).check({
    name: 'pages-complete',
    requirements: [`${list.area}.page.disjoint`],
    title: `pages of ${list.title} at successive offsets contain every entry`,
    run: (context) =>
      comparePages(context, list, async (read) => {
        const { ids } = await read();
        const pages = await walk(list, read);
        const walked = new Set(pages.flatMap((one) => one.ids));
        const missing = ids.find((id) => !walked.has(id));
        const last = pages.at(-1);
        if (missing !== undefined && last !== undefined) {
          throw violation(`${missing} on one of the pages`, 'it is on none', last.response);
        }
      }),
  }),
]);

/** The entries of the first page, in smaller pages. */
async function walk(list: PagedList, read: ReadPage): Promise<readonly Page[]> {
  const whole = await read();
  needEntries(list, whole, 2);
  const limit = Math.ceil(whole.entries.length / PAGES);
  const pages: Page[] = [];
  for (let offset = 0; offset < whole.entries.length; offset += limit) {
    pages.push(await read({ limit, offset }));
  }
  return pages;
}
