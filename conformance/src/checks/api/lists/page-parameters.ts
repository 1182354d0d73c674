import type { Check } from '../../../check-kit/check.ts';
import { assumeSuccess, expectAllowed, expectStatus } from '../../../check-kit/expect.ts';
import { INBOX, listArea, LISTS } from '../operations/lists.ts';
import type { PagedList } from '../operations/lists.ts';

type Name = 'limit' | 'offset';

const MAX_OFFSET = '9007199254740991';
const VALID = { limit: 1, offset: 0 };

/** Values that every list accepts. */
const ACCEPTED: Readonly<Record<Name, readonly [string, string]>> = {
  limit: ['1', '100'],
  offset: ['0', MAX_OFFSET],
};

/** Values that every list refuses, by the name of their check. */
const REFUSED: readonly (readonly [check: string, parameter: Name, ...values: string[]])[] = [
  ['limit-0', 'limit', '0'],
  ['limit-negative', 'limit', '-1'],
  ['limit-above-100', 'limit', '101'],
  ['limit-not-integer', 'limit', 'abc', '5x'],
  ['limit-fraction', 'limit', '1.5'],
  ['offset-negative', 'offset', '-1'],
  ['offset-above-maximum', 'offset', '9007199254740993'],
  ['offset-not-integer', 'offset', 'abc', '5x'],
  ['offset-fraction', 'offset', '1.5'],
];
/** The checks of REFUSED whose values are next to a bound. */
const AT_A_BOUND = new Set([
  'limit-0',
  'limit-above-100',
  'offset-negative',
  'offset-above-maximum',
]);

/** `limit` is an integer from 1 to 100 in every list, and `offset` one from 0 to 9007199254740991. */
export const pageParameterChecks: readonly Check[] = LISTS.flatMap((list) =>
  [accepts(list, 'limit'), accepts(list, 'offset')].concat(
    REFUSED.map(([name, parameter, ...values]) => refuses(list, name, parameter, values)),
  ),
);

function accepts(list: PagedList, name: Name): Check {
  const values = ACCEPTED[name];
  return listArea(list).check({
    name: `${name}-accepted`,
    requirements: [`${list.area}.${name}.range`, `limits.${name}-parameter`],
    title: `${list.title} accepts ${name} ${values.join(` and ${name} `)}`,
    async run({ api }) {
      for (const value of values) {
        const query = { ...VALID, [name]: value };
        expectAllowed(await api.sample({ path: list.path, query }));
      }
    },
  });
}

function refuses(list: PagedList, name: string, parameter: Name, values: readonly string[]): Check {
  return listArea(list).check({
    name,
    requirements: [
      `${list.area}.${parameter}.range`,
      ...(list === INBOX && name === 'limit-above-100' ? ['inbox.errors', 'status-code.400'] : []),
      ...(AT_A_BOUND.has(name) ? [`limits.${parameter}-parameter`] : []),
    ],
    title: `${list.title} refuses ${values.map((value) => `${parameter}=${value}`).join(' and ')} with 400`,
    async run({ api }) {
      assumeSuccess(await api.sample({ path: list.path, query: VALID }));
      for (const value of values) {
        const query = { ...VALID, [parameter]: value };
        expectStatus(await api.sample({ path: list.path, query }), 400);
      }
    },
  });
}
