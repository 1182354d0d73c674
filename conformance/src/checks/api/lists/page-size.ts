import type { Check } from '../../../check-kit/check.ts';
import { assumeSuccess, expectEqual, violation } from '../../../check-kit/expect.ts';
import { judgeEach } from '../../../check-kit/values.ts';
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

/** Size and echo of a page. */
export const pageSizeChecks: readonly Check[] = [
  ...[INBOX, AGENTS].map(echo),
  ...LISTS.map((list) =>
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
  ),
];

/** A page with entries, and one far beyond the end. */
const ECHOED = [
  { limit: 7, offset: 1 },
  { limit: 3, offset: 1_000_000 },
];

function echo(list: PagedList): Check {
  return listArea(list).check({
    name: 'page-echo',
    requirements: [`${list.area}.page.echo`],
    title: `a page of ${list.title} repeats the requested limit and offset`,
    run: ({ api }) =>
      judgeEach(
        ECHOED.flatMap((query) => (['limit', 'offset'] as const).map((name) => ({ query, name }))),
        ({ query: { limit, offset } }) => `limit=${limit}&offset=${offset}`,
        async ({ query, name }) => {
          const response = await api.sample({ path: list.path, query });
          assumeSuccess(response);
          expectEqual(name, membersOf(response.json)[name], query[name], response);
        },
      ),
  });
}
