import { area } from '../../../check-kit/area.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { expectRefusal, expectStatus } from '../../../check-kit/expect.ts';
import type { ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import { frameOf, requestOf, titleOf } from '../operations/operation.ts';
import type { ApiOperation } from '../operations/operation.ts';
import { assumeGranted, refusedResponse } from '../operations/requests.ts';
import { OPERATIONS } from '../operations/table.ts';

const JSON_TYPE = [['content-type', 'application/json']] as const;

type Body = Pick<ApiRequest, 'json' | 'body'>;

const NOT_JSON = [{ body: '{"title": ' }];
const NO_OBJECT = [{ json: ['a', 'list'] }, { json: 'text' }, { json: 7 }];

/** 400 for a body that is malformed or no object; another 4xx too where the contract leaves it open. */
export const malformedBodyChecks: readonly Check[] = [
  ...OPERATIONS.filter(({ body }) => body !== 'none').flatMap((operation) => [
    malformed(operation, 'json', 'a body that is not JSON', NOT_JSON),
    malformed(
      operation,
      'type',
      'a body that is no object',
      NO_OBJECT,
      statusOfWrongBody(operation),
    ),
  ]),
  ...OPERATIONS.filter(({ body }) => body === 'required').map((operation) =>
    // Something in front of the API may require a length.
    malformed(operation, 'missing', 'no body', [{ body: '' }], null),
  ),
];

/** A copy without the string outputFileName may get any 4xx, and what is no object has none. */
function statusOfWrongBody({ name }: ApiOperation): 400 | null {
  return name.startsWith('feedback') ? null : 400;
}

function malformed(
  operation: ApiOperation,
  how: string,
  what: string,
  bodies: readonly Body[],
  /** Null: any 4xx. */
  status: 400 | null = 400,
): Check {
  return area('api.malformed-body', frameOf(operation)).check({
    name: `${operation.name}-${how}`,
    requirements: ['status-code.400', 'versioning.wire.json-bodies'],
    title: `refuses ${titleOf(operation)} with ${what}, with ${status ?? 'a 4xx'}`,
    async run(context) {
      await assumeGranted(context, operation);
      for (const body of bodies) {
        const response = await withBody(context, operation, body);
        if (status === null) expectRefusal(response);
        else expectStatus(response, status);
      }
    },
  });
}

function withBody(
  context: CheckContext,
  operation: ApiOperation,
  body: Body,
): Promise<ApiResponse> {
  return refusedResponse(context, operation, ({ key }, valid) => {
    const { json: _none, ...request } = requestOf(operation, valid);
    return { ...request, ...body, headers: JSON_TYPE, key };
  });
}
