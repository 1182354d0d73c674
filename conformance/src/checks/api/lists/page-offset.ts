import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { assumeSuccess, expectStatus, expectAllowed } from '../../../check-kit/expect.ts';
import { LISTS } from '../operations/lists.ts';
import type { PagedList } from '../operations/lists.ts';

const MAXIMUM = '9007199254740991';

/** `offset` is an integer from 0 to 9007199254740991 in every list. */
export const pageOffsetChecks: readonly Check[] = LISTS.flatMap((list) => [
  {
    ...base(list, 'offset-accepted', 'limits.offset-parameter'),
    title: `${list.title} accepts offset 0 and offset ${MAXIMUM}`,
    async run({ api }) {
      for (const offset of ['0', MAXIMUM]) {
        expectAllowed(await api.sample({ path: list.path, query: { limit: 1, offset } }));
      }
    },
  },
  refused(list, 'offset-negative', '-1', 'limits.offset-parameter'),
  refused(list, 'offset-above-maximum', '9007199254740993', 'limits.offset-parameter'),
  refused(list, 'offset-not-integer', 'abc'),
]);

function refused(
  list: PagedList,
  name: string,
  offset: string,
  ...others: readonly string[]
): Check {
  return {
    ...base(list, name, ...others),
    title: `${list.title} refuses offset=${offset} with 400`,
    async run({ api }: CheckContext) {
      assumeSuccess(await api.sample({ path: list.path, query: { limit: 1, offset: 0 } }));
      expectStatus(await api.sample({ path: list.path, query: { limit: 1, offset } }), 400);
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
    requirements: [`${list.area}.offset.range`, ...others],
    side: 'api',
    access: 'read',
    needs: list.needs,
  };
}
