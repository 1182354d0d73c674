import type { Check } from '../../../check-kit/check.ts';
import { assumeSuccess, expectStatus, expectAllowed } from '../../../check-kit/expect.ts';
import { INBOX, listArea, LISTS } from '../operations/lists.ts';
import type { PagedList } from '../operations/lists.ts';

const BOUNDS = ['limits.limit-parameter'];
const INBOX_ERRORS = ['inbox.errors', 'status-code.400'];

/** `limit` is an integer from 1 to 100 in every list. */
export const pageLimitChecks: readonly Check[] = LISTS.flatMap((list) => [
  listArea(list).check({
    name: 'limit-accepted',
    requirements: [`${list.area}.limit.range`, ...BOUNDS],
    title: `${list.title} accepts limit 1 and limit 100`,
    async run({ api }) {
      for (const limit of [1, 100]) {
        expectAllowed(await api.sample({ path: list.path, query: { limit, offset: 0 } }));
      }
    },
  }),
  refused(list, 'limit-0', '0', BOUNDS),
  refused(list, 'limit-negative', '-1'),
  refused(list, 'limit-above-100', '101', list === INBOX ? [...INBOX_ERRORS, ...BOUNDS] : BOUNDS),
  refused(list, 'limit-not-integer', 'abc'),
  refused(list, 'limit-fraction', '1.5'),
]);

function refused(
  list: PagedList,
  name: string,
  limit: string,
  others: readonly string[] = [],
): Check {
  return listArea(list).check({
    name,
    requirements: [`${list.area}.limit.range`, ...others],
    title: `${list.title} refuses limit=${limit} with 400`,
    async run({ api }) {
      assumeSuccess(await api.sample({ path: list.path, query: { limit: 1, offset: 0 } }));
      expectStatus(await api.sample({ path: list.path, query: { limit, offset: 0 } }), 400);
    },
  });
}
