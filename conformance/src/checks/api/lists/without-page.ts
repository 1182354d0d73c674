import type { Check } from '../../../check-kit/check.ts';
import { expectAllowed, show, violation } from '../../../check-kit/expect.ts';
import { judgeEach } from '../../../check-kit/values.ts';
import { membersOf } from '../../../http/message.ts';
import { listArea, LISTS } from '../operations/lists.ts';

/** A list without limit and offset: the contract requires neither. */
export const withoutPageChecks: readonly Check[] = LISTS.map((list) =>
  listArea(list).check({
    name: 'without-page',
    requirements: [`${list.area}.page.optional`],
    title: `${list.title} is listed without limit and offset, and with one of them`,
    run: ({ api }) =>
      judgeEach(
        ['', '?limit=1', '?offset=0'],
        (query) => (query === '' ? 'no query' : query),
        async (query) => {
          const response = await api.sample({ path: list.path + query });
          expectAllowed(response);
          const { limit } = membersOf(response.json);
          if (typeof limit !== 'number' || (limit >= 1 && limit <= 100)) return;
          throw violation('a limit from 1 to 100', show(limit), response);
        },
      ),
  }),
);
