import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { CouldNotRun } from '../../../verdict/findings.ts';
import { assumeSuccess, expectEqual, violation } from '../../../check-kit/expect.ts';
import {
  AGENTS,
  firstPage,
  INBOX,
  listArea,
  LISTS,
  needEntries,
  page,
} from '../operations/lists.ts';
import type { Page, PagedList } from '../operations/lists.ts';

const PAGES = 4;

/** Size, echo and total of a page, and several pages together. */
export const pageWalkChecks: readonly Check[] = [
  ...[INBOX, AGENTS].flatMap((list) => [echo(list, 'limit', 7), echo(list, 'offset', 1)]),
  ...LISTS.flatMap(walkChecks),
];

function walkChecks(list: PagedList): readonly Check[] {
  return [
    listArea(list).check({
      name: 'page-size',
      requirements: [`${list.area}.page.size`],
      title: `a page of ${list.title} has no more entries than its limit`,
      async run(context) {
        needEntries(list, await firstPage(context, list), 2);
        const { entries, response } = await page(context, list, { limit: 1, offset: 0 });
        if (entries.length > 1) throw violation('at most 1 entry', `${entries.length}`, response);
      },
    }),
    listArea(list).check({
      name: 'total',
      requirements: [`${list.area}.page.total`],
      title: `total of ${list.title} counts the entries of all pages`,
      async run(context) {
        const whole = await firstPage(context, list);
        if (whole.entries.length < 100) {
          expectEqual('total', whole.total, whole.entries.length, whole.response);
        }
        const one = await page(context, list, { limit: 1, offset: 0 });
        expectEqual('the total of the page with limit=100:', one.total, whole.total, one.response);
      },
    }),
    listArea(list).check({
      name: 'pages-disjoint',
      requirements: [`${list.area}.page.disjoint`],
      title: `pages of ${list.title} at successive offsets share no entry`,
      async run(context) {
        const seen = new Set<string>();
        for (const { ids, response } of await walk(context, list)) {
          const twice = ids.find((id) => seen.has(id));
          if (twice !== undefined) {
            throw violation('no entry of an earlier page', twice, response);
          }
          for (const id of ids) seen.add(id);
        }
      },
    }),
    listArea(list).check({
      name: 'pages-complete',
      requirements: [`${list.area}.page.disjoint`],
      title: `pages of ${list.title} at successive offsets contain every entry`,
      async run(context) {
        const pages = await walk(context, list);
        const walked = new Set(pages.flatMap(({ ids }) => ids));
        const { ids } = await firstPage(context, list);
        const missing = ids.find((id) => !walked.has(id));
        const last = pages.at(-1);
        if (missing !== undefined && last !== undefined) {
          throw violation(`${missing} on one of the pages`, 'it is on none', last.response);
        }
      },
    }),
  ];
}

/** The entries of the first page, in smaller pages. */
async function walk(context: CheckContext, list: PagedList): Promise<readonly Page[]> {
  const whole = await firstPage(context, list);
  needEntries(list, whole, 2);
  const limit = Math.ceil(whole.entries.length / PAGES);
  const pages: Page[] = [];
  for (let offset = 0; offset < whole.entries.length; offset += limit) {
    const next = await page(context, list, { limit, offset });
    if (next.total !== whole.total) throw changing(list);
    pages.push(next);
  }
  return pages;
}

function changing(list: PagedList): CouldNotRun {
  return new CouldNotRun(
    `the total of ${list.title} changed between two pages`,
    'use a tenant that does not change during the run',
  );
}

function echo(list: PagedList, name: 'limit' | 'offset', value: number): Check {
  return listArea(list).check({
    name: `${name}-echo`,
    requirements: [`${list.area}.page.${name}-echo`],
    title: `a page of ${list.title} repeats the requested ${name}`,
    async run({ api }) {
      const query = { limit: 7, offset: 1 };
      const response = await api.sample({ path: list.path, query });
      assumeSuccess(response);
      expectEqual(name, Object(response.json)[name], value, response);
    },
  });
}
