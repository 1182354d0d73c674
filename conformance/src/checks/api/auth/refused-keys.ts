import { area } from '../../../check-kit/area.ts';
import type { Check, Requirements } from '../../../check-kit/check.ts';
import { frameOf, requirementsOf, titleOf } from '../operations/operation.ts';
import type { ApiOperation } from '../operations/operation.ts';
import { expectRefused, expectStatusInEveryForm } from '../operations/refused-requests.ts';
import type { Caller } from '../operations/refused-requests.ts';
import type { Sandbox } from '../operations/sandbox.ts';
import { OPERATIONS } from '../operations/table.ts';

/** One way in which a request has no valid key. */
interface BadKey {
  /** The beginning of the ids. */
  readonly area: `api.${string}`;
  /** "without a key", for titles. */
  readonly words: string;
  readonly requirements: Requirements;
  callers(sandbox: Sandbox): readonly Caller[];
  /** What is wrong in a plainer way: where that is admitted, this says nothing more. */
  readonly plainer?: BadKey;
}

const WHOLE_KEY =
  'Compare the whole key, or its digest, byte by byte, and respond with 401 when it differs.';
const ANY_SCHEME = {
  cause: 'The key is taken from the header Authorization whatever its scheme is.',
  fix: 'Take the key only from the form Bearer <API_KEY>, and respond with 401 to every other form.',
};

const MISSING: BadKey = {
  area: 'api.missing-key',
  words: 'without a key',
  requirements: ['auth.missing-key', 'auth.header.bearer'],
  callers: () => [{ key: null }],
};

const UNKNOWN: BadKey = {
  area: 'api.unknown-key',
  words: 'with an unknown key',
  requirements: ['auth.invalid-key'],
  callers: ({ key }) => [{ key: { unlike: key } }],
};

const BAD_KEYS: readonly BadKey[] = [
  MISSING,
  {
    area: 'api.malformed-authorization',
    words: 'with Bearer alone, and with the key behind another scheme or none',
    requirements: ['auth.header.bearer'],
    callers: ({ key }) => [
      {
        words: 'Bearer without a key',
        key: null,
        headers: [['authorization', 'Bearer ']],
        diagnosis: {
          cause: 'The header Authorization is looked at, and the empty key in it is not refused.',
          fix: 'Respond with 401 when nothing follows Bearer, as without the header.',
        },
      },
      { words: 'the key behind the scheme Token', key, scheme: 'Token', diagnosis: ANY_SCHEME },
      { words: 'the key without a scheme', key, scheme: '', diagnosis: ANY_SCHEME },
    ],
    plainer: MISSING,
  },
  UNKNOWN,
  {
    area: 'api.near-key',
    words: 'with a key that is longer or has another second half',
    requirements: ['auth.invalid-key'],
    callers: ({ key }) => [
      {
        words: 'the key with one more character',
        key: { like: key, but: 'tail' },
        diagnosis: {
          cause: 'The key is cut, or compared only as far as the stored one goes.',
          fix: WHOLE_KEY,
        },
      },
      {
        words: 'a key with the same first half',
        key: { like: key, but: 'second-half' },
        diagnosis: { cause: 'Only the beginning of the key is compared.', fix: WHOLE_KEY },
      },
    ],
    plainer: UNKNOWN,
  },
];

/** 401 for a request without a valid key, and no effect, for every operation. */
export const refusedKeyChecks: readonly Check[] = OPERATIONS.flatMap((operation) =>
  BAD_KEYS.map((bad) => refusesKey(operation, bad)),
);

function refusesKey(operation: ApiOperation, bad: BadKey): Check {
  const { plainer } = bad;
  const effect = operation.access === 'read' ? '' : ', without an effect';
  return area(bad.area, frameOf(operation)).check({
    name: operation.name,
    requirements: requirementsOf(operation, [
      ...bad.requirements,
      'auth.every-operation',
      'status-code.401',
      ...(operation.name === 'inbox' ? ['inbox.errors'] : []),
    ]),
    title: `refuses ${titleOf(operation)} ${bad.words}, with 401${effect}`,
    run: (context) =>
      expectRefused(context, operation, {
        callers: (sandbox) => bad.callers(sandbox),
        ...(plainer === undefined
          ? {}
          : {
              plainer: {
                caller: (sandbox) => plainer.callers(sandbox)[0] ?? {},
                check: `${plainer.area}.${operation.name}`,
              },
            }),
        judge: (refused) => expectStatusInEveryForm(operation, refused, 401),
      }),
  });
}
