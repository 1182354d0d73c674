import type { Check } from '../../../check-kit/check.ts';
import { assumeSuccess, expectEqual, violation } from '../../../check-kit/expect.ts';
import { comparePages } from '../operations/compare-pages.ts';
import {
  AGENTS,
  firstPage,
  INBOX,
  listArea,
  LISTS,
  needEntries,
  page,
} from '../operations/lists.ts';
import type { PagedList } from '../operations/lists.ts';
import { membersOf } from '../../../http/message.ts';

const MAX_LIMIT = 100;

/** Size, echo and total of a page. */
export const pageSizeChecks: readonly Check[] = [
  ...[INBOX, AGENTS].flatMap((list) => [echo(list, 'limit'), echo(list, 'offset')]),
  ...LISTS.flatMap((list) => [
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
      run: (context) =>
        comparePages(context, list, async (read) => {
          const whole = await read();
          if (whole.entries.length < MAX_LIMIT) {
            expectEqual('total', whole.total, whole.entries.length, whole.response);
          }
          const one = await read({ limit: 1, offset: 0 });
          expectEqual(
            'the total of the page with limit=100:',
            one.total,
            whole.total,
            one.response,
          );
        }),
    }),
  ]),
];

/** A page with entries, and one far beyond the end. */
const ECHOED = [
  { limit: 7, offset: 1 },
  { limit: 3, offset: 1_000_000 },
];

function echo(list: PagedList, name: 'limit' | 'offset'): Check {
  return listArea(list).check({
    name: `${name}-echo`,
    requirements: [`${list.area}.page.${name}-echo`],
    title: `a page of ${list.title} repeats the requested ${name}`,
    async run({ api }) {
      for (const query of ECHOED) {
        const response = await api.sample({ path: list.path, query });
        assumeSuccess(response);
        expectEqual(name, membersOf(response.json)[name], query[name], response);
      }
    },
  });
}
