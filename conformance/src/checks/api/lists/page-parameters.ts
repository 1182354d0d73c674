import type { Check } from '../../../check-kit/check.ts';
import { assumeSuccess, expectAllowed, expectStatus } from '../../../check-kit/expect.ts';
import { judgeEach } from '../../../check-kit/values.ts';
import { INBOX, listArea, LISTS } from '../operations/lists.ts';
import type { PagedList } from '../operations/lists.ts';

type Name = 'limit' | 'offset';

const VALID = { limit: 1, offset: 0 };

/** Values that every list accepts, and values that it refuses. */
const VALUES: Readonly<Record<Name, Readonly<Record<'accepted' | 'refused', readonly string[]>>>> =
  {
    limit: { accepted: ['1', '100'], refused: ['0', '-1', '101', 'abc', '5x', '1.5'] },
    offset: {
      accepted: ['0', '9007199254740991'],
      refused: ['-1', '9007199254740993', 'abc', '5x', '1.5'],
    },
  };

/** `limit` is an integer from 1 to 100 in every list, and `offset` one from 0 to 9007199254740991. */
export const pageParameterChecks: readonly Check[] = LISTS.flatMap((list) => [
  range(list, 'limit', 'from 1 to 100'),
  range(list, 'offset', 'from 0 to 9007199254740991'),
]);

function range(list: PagedList, name: Name, words: string): Check {
  const { accepted, refused } = VALUES[name];
  return listArea(list).check({
    name,
    requirements: [
      `${list.area}.${name}.range`,
      `limits.${name}-parameter`,
      ...(list === INBOX && name === 'limit' ? ['inbox.errors', 'status-code.400'] : []),
    ],
    title: `${list.title} accepts an integer ${words} as ${name}, and refuses everything else with 400`,
    async run({ api }) {
      assumeSuccess(await api.sample({ path: list.path, query: VALID }));
      await judgeEach(
        [...accepted, ...refused],
        (value) => `${name}=${value}`,
        async (value) => {
          const query = { ...VALID, [name]: value };
          const response = await api.sample({ path: list.path, query });
          if (accepted.includes(value)) expectAllowed(response);
          else expectStatus(response, 400);
        },
      );
    },
  });
}
