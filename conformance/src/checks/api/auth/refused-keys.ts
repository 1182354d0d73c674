import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import { refusalFrameOf, requirementsOf, titleOf } from '../operations/operation.ts';
import type { ApiOperation } from '../operations/operation.ts';
import { expectRefused, expectStatusInEveryForm } from '../operations/refused-requests.ts';
import type { Caller } from '../operations/refused-requests.ts';
import { OPERATIONS } from '../operations/table.ts';

const WHOLE_KEY =
  'Compare the whole key, or its digest, byte by byte, and respond with 401 when it differs.';
const ANY_SCHEME = {
  cause: 'The key is taken from the header Authorization whatever its scheme is.',
  fix: 'Take the key only from the form Bearer <API_KEY>, and respond with 401 to every other form.',
};

/** Every way in which a request has no valid key, the plainest first. */
const CALLERS: readonly Caller[] = [
  { words: 'a request without a key', key: null },
  {
    words: 'Bearer without a key',
    key: null,
    headers: [['authorization', 'Bearer ']],
    diagnosis: {
      cause: 'The header Authorization is looked at, and the empty key in it is not refused.',
      fix: 'Respond with 401 when nothing follows Bearer, as without the header.',
    },
  },
  { words: 'the key behind the scheme Token', key: 'main', scheme: 'Token', diagnosis: ANY_SCHEME },
  { words: 'the key without a scheme', key: 'main', scheme: '', diagnosis: ANY_SCHEME },
  { words: 'an unknown key', key: { unlike: 'main' } },
  {
    words: 'the key with one more character',
    key: { like: 'main', but: 'tail' },
    diagnosis: {
      cause: 'The key is cut, or compared only as far as the stored one goes.',
      fix: WHOLE_KEY,
    },
  },
  {
    words: 'a key with the same first half',
    key: { like: 'main', but: 'second-half' },
    diagnosis: { cause: 'Only the beginning of the key is compared.', fix: WHOLE_KEY },
  },
];

/** 401 for a request without a valid key, and no effect, for every operation. */
export const refusedKeyChecks: readonly Check[] = OPERATIONS.map(refusesKeys);

function refusesKeys(operation: ApiOperation): Check {
  const effect = operation.access === 'read' ? '' : ', without an effect';
  return area('api.key-required', refusalFrameOf(operation)).check({
    name: operation.name,
    requirements: requirementsOf(operation, [
      'auth.key-required',
      ...(operation.name === 'inbox' ? ['inbox.errors'] : []),
    ]),
    title: `refuses ${titleOf(operation)} without a valid key, with 401${effect}`,
    run: (context) =>
      expectRefused(context, operation, {
        callers: CALLERS,
        judge: (refused) => expectStatusInEveryForm(operation, refused, 401),
      }),
  });
}
