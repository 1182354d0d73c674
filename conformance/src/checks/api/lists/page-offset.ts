import type { Check } from '../../../check-kit/check.ts';
import { assumeSuccess, expectStatus, expectAllowed } from '../../../check-kit/expect.ts';
import { listArea, LISTS } from '../operations/lists.ts';
import type { PagedList } from '../operations/lists.ts';

const MAXIMUM = '9007199254740991';
const BOUNDS = ['limits.offset-parameter'];

/** `offset` is an integer from 0 to 9007199254740991 in every list. */
export const pageOffsetChecks: readonly Check[] = LISTS.flatMap((list) => [
  listArea(list).check({
    name: 'offset-accepted',
    requirements: [`${list.area}.offset.range`, ...BOUNDS],
    title: `${list.title} accepts offset 0 and offset ${MAXIMUM}`,
    async run({ api }) {
      for (const offset of ['0', MAXIMUM]) {
        expectAllowed(await api.sample({ path: list.path, query: { limit: 1, offset } }));
      }
    },
  }),
  refused(list, 'offset-negative', '-1', BOUNDS),
  refused(list, 'offset-above-maximum', '9007199254740993', BOUNDS),
  refused(list, 'offset-not-integer', 'abc'),
  refused(list, 'offset-fraction', '1.5'),
]);

function refused(
  list: PagedList,
  name: string,
  offset: string,
  others: readonly string[] = [],
): Check {
  return listArea(list).check({
    name,
    requirements: [`${list.area}.offset.range`, ...others],
    title: `${list.title} refuses offset=${offset} with 400`,
    async run({ api }) {
      assumeSuccess(await api.sample({ path: list.path, query: { limit: 1, offset: 0 } }));
      expectStatus(await api.sample({ path: list.path, query: { limit: 1, offset } }), 400);
    },
  });
}
