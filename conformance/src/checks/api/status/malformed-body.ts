import { area } from '../../../check-kit/area.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { expectStatus } from '../../../check-kit/expect.ts';
import type { ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import { frameOf, requestOf, titleOf } from '../operations/operation.ts';
import type { ApiOperation } from '../operations/operation.ts';
import { assumeGranted, probe } from '../operations/probe.ts';
import { OPERATIONS } from '../operations/table.ts';

const JSON_TYPE = [['content-type', 'application/json']] as const;

type Body = Pick<ApiRequest, 'json' | 'body'>;

const NOT_JSON = [{ body: '{"title": ' }];
const NO_OBJECT = [{ json: ['a', 'list'] }, { json: 'text' }, { json: 7 }];

/** 400 for a body that is malformed, no object, or missing. */
export const malformedBodyChecks: readonly Check[] = [
  ...OPERATIONS.filter(({ body }) => body !== 'none').flatMap((operation) => [
    malformed(operation, 'json', 'a body that is not JSON', NOT_JSON),
    malformed(operation, 'type', 'a body that is no object', NO_OBJECT),
  ]),
  ...OPERATIONS.filter(({ body }) => body === 'required').map((operation) =>
    malformed(operation, 'missing', 'no body', [{ body: '' }]),
  ),
];

function malformed(
  operation: ApiOperation,
  how: string,
  what: string,
  bodies: readonly Body[],
): Check {
  return area('api.malformed-body', frameOf(operation)).check({
    name: `${operation.name}-${how}`,
    requirements: ['status-code.400', 'versioning.wire.json-bodies'],
    title: `refuses ${titleOf(operation)} with ${what}, with 400`,
    async run(context) {
      await assumeGranted(context, operation);
      for (const body of bodies) expectStatus(await withBody(context, operation, body), 400);
    },
  });
}

async function withBody(
  context: CheckContext,
  operation: ApiOperation,
  body: Body,
): Promise<ApiResponse> {
  const { response } = await probe(context, operation, ({ key }, valid) => {
    const { json: _none, ...request } = requestOf(operation, valid);
    return { ...request, ...body, headers: JSON_TYPE, key };
  });
  return response;
}
