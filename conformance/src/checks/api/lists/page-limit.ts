import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { assumeSuccess, expectStatus, expectAllowed } from '../../../check-kit/expect.ts';
import { INBOX, LISTS } from '../operations/lists.ts';
import type { PagedList } from '../operations/lists.ts';

/** `limit` is an integer from 1 to 100 in every list. */
export const pageLimitChecks: readonly Check[] = LISTS.flatMap((list) => [
  {
    ...base(list, 'limit-accepted', 'limits.limit-parameter'),
    title: `${list.title} accepts limit 1 and limit 100`,
    async run({ api }) {
      for (const limit of [1, 100]) {
        expectAllowed(await api.sample({ path: list.path, query: { limit, offset: 0 } }));
      }
    },
  },
  refused(list, 'limit-0', '0', 'limits.limit-parameter'),
  refused(list, 'limit-negative', '-1'),
  refused(
    list,
    'limit-above-100',
    '101',
    'limits.limit-parameter',
    ...(list === INBOX ? ['inbox.errors', 'status-code.400'] : []),
  ),
  refused(list, 'limit-not-integer', 'abc'),
]);

function refused(
  list: PagedList,
  name: string,
  limit: string,
  ...others: readonly string[]
): Check {
  return {
    ...base(list, name, ...others),
    title: `${list.title} refuses limit=${limit} with 400`,
    async run({ api }: CheckContext) {
      assumeSuccess(await api.sample({ path: list.path, query: { limit: 1, offset: 0 } }));
      expectStatus(await api.sample({ path: list.path, query: { limit, offset: 0 } }), 400);
    },
  };
}

function base(
  list: PagedList,
  name: string,
  ...others: readonly string[]
): Omit<Check, 'title' | 'run'> {
  return {
    id: `api.${list.area}.${name}`,
    requirements: [`${list.area}.limit.range`, ...others],
    side: 'api',
    access: 'read',
    needs: list.needs,
  };
}
