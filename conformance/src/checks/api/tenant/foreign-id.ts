import { isDeepStrictEqual } from 'node:util';

import { area } from '../../../check-kit/area.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { assumeSuccess, expectRefusal, violation } from '../../../check-kit/expect.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import { NotApplicable } from '../../../verdict/findings.ts';
import { frameOf, requestOf, titleOf } from '../operations/operation.ts';
import type { ApiOperation, ValidRequest } from '../operations/operation.ts';
import { isCounted } from '../operations/id-forms.ts';
import { assumeGranted, isGranted, probeEffect } from '../operations/probe.ts';
import type { Sandbox } from '../operations/sandbox.ts';
import { OPERATIONS } from '../operations/table.ts';

/** A key of another tenant can neither read, change nor delete what an id of this tenant names. */
export const foreignIdChecks: readonly Check[] = OPERATIONS.filter(({ ids }) => ids.length > 0).map(
  foreignId,
);

function foreignId(operation: ApiOperation): Check {
  const frame = frameOf(operation);
  // A world has the key of another tenant, so that writes in one need no key of the run.
  const needs = operation.needs.includes('control')
    ? frame.needs
    : [...frame.needs, 'key.otherTenant' as const];
  return area('api.foreign-id', { ...frame, needs }).check({
    name: operation.name,
    requirements: [
      'auth.tenant.isolation',
      ...(operation.access === 'delete' ? ['auth.tenant.deletion'] : []),
    ],
    title: `refuses ${titleOf(operation)} to a key of another tenant, without an effect`,
    async run(context) {
      const own = await assumeGranted(context, operation);
      const { sandbox, valid, response } = await probeEffect(
        context,
        operation,
        ({ otherTenantKey: key }, changing) => ({ ...requestOf(operation, changing), key }),
      );
      if (isGranted(response)) return judgeGranted(operation, valid, own, response);
      await assumeKnown(context, sandbox);
      expectRefusal(response);
    },
  });
}

/** A tenant that counts its own ids has another resource under the same id. */
function judgeGranted(
  { ids, access }: ApiOperation,
  { parameters }: ValidRequest,
  own: ApiResponse,
  response: ApiResponse,
): void {
  const counted = ids.every((name) => name === 'path' || isCounted(parameters[name] ?? ''));
  const same = access === 'read' && isDeepStrictEqual(response.bytes, own.bytes);
  if (counted && !same) {
    throw new NotApplicable('each tenant counts its own ids, so that none is foreign');
  }
  throw violation('a 4xx', `status ${response.status}`, response);
}

/** Without it, the refusal would say nothing about tenants. */
async function assumeKnown({ api }: CheckContext, { otherTenantKey: key }: Sandbox): Promise<void> {
  assumeSuccess(await api.sample({ path: '/v1/auth/check', key }));
}
