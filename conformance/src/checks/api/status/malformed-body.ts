import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import { expectRefusal, expectStatus } from '../../../check-kit/expect.ts';
import { judgeEach } from '../../../check-kit/values.ts';
import type { ApiRequest } from '../../../clients/api-client.ts';
import { frameOf, requestOf, titleOf } from '../operations/operation.ts';
import type { ApiOperation } from '../operations/operation.ts';
import { assumeGranted, refusedResponse } from '../operations/requests.ts';
import { OPERATIONS } from '../operations/table.ts';

const JSON_TYPE = [['content-type', 'application/json']] as const;

/** A body that is no JSON object. */
interface WrongBody extends Pick<ApiRequest, 'json' | 'body'> {
  readonly words: string;
  /** Null: any 4xx. */
  readonly status: 400 | null;
}

/** 400 for a body that is malformed or no object; another 4xx too where the contract leaves it open. */
export const malformedBodyChecks: readonly Check[] = OPERATIONS.filter(
  ({ body }) => body !== 'none',
).map(malformed);

function bodiesOf({ name, body }: ApiOperation): readonly WrongBody[] {
  // A copy without the string outputFileName may get any 4xx, and what is no object has none.
  const status = name.startsWith('feedback') ? null : 400;
  return [
    { words: 'a body that is not JSON', body: '{"title": ', status: 400 },
    { words: 'a list', json: ['a', 'list'], status },
    { words: 'a text', json: 'text', status },
    { words: 'a number', json: 7, status },
    // Something in front of the API may require a length.
    ...(body === 'required' ? [{ words: 'no body', body: '', status: null }] : []),
  ];
}

function malformed(operation: ApiOperation): Check {
  return area('api.malformed-body', frameOf(operation)).check({
    name: operation.name,
    requirements: ['status-code.400', 'versioning.wire.json-bodies'],
    title: `refuses ${titleOf(operation)} with a body that is no JSON object`,
    async run(context) {
      await assumeGranted(context, operation);
      await judgeEach(
        bodiesOf(operation),
        ({ words }) => words,
        async ({ words: _words, status, ...body }) => {
          const response = await refusedResponse(context, operation, (valid) => {
            const { json: _none, ...request } = requestOf(operation, valid);
            return { ...request, ...body, headers: JSON_TYPE };
          });
          if (status === null) expectRefusal(response);
          else expectStatus(response, status);
        },
      );
    },
  });
}
