import { isDeepStrictEqual } from 'node:util';

import { area } from '../../../check-kit/area.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { assumeSuccess, expectRefusal, violation } from '../../../check-kit/expect.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import { CouldNotRun, NotApplicable } from '../../../verdict/findings.ts';
import { isRecord } from '../../../http/message.ts';
import { fixtureOrNull } from '../operations/files.ts';
import {
  frameOf,
  requestOf,
  requirementsOf,
  titleOf,
  withParameter,
} from '../operations/operation.ts';
import type { ApiOperation, ValidRequest } from '../operations/operation.ts';
import { isCounted } from '../operations/id-forms.ts';
import { assumeGranted, isGranted, send } from '../operations/requests.ts';
import { expectRefused } from '../operations/refused-requests.ts';
import type { Refused } from '../operations/refused-requests.ts';
import { OPERATIONS, operationNamed } from '../operations/table.ts';

/** A key of another tenant can neither read, change nor delete what an id or alias of this tenant names. */
export const foreignIdChecks: readonly Check[] = OPERATIONS.filter(({ ids }) => ids.length > 0).map(
  foreignId,
);

function foreignId(operation: ApiOperation): Check {
  const frame = frameOf(operation);
  // A world has the key of another tenant, so that writes in one need no key of the run.
  const needs = [
    ...frame.needs,
    operation.toNothing === undefined ? ('key.otherTenant' as const) : ('control' as const),
  ];
  const effect = operation.access === 'read' ? '' : ', without an effect';
  return area('api.foreign-id', { ...frame, needs }).check({
    name: operation.name,
    requirements: requirementsOf(operation, [
      'auth.tenant.isolation',
      ...(operation.access === 'delete' ? ['auth.tenant.deletion'] : []),
    ]),
    title: `refuses ${titleOf(operation)} to a key of another tenant${effect}`,
    async run(context) {
      const own = await assumeGranted(context, operation);
      await expectRefused(context, operation, {
        callers: [{ key: 'otherTenant' }],
        moreForms: (sandbox, valid) => belowTheirAutomation(operation, sandbox, valid),
        async judge(refused) {
          if (isGranted(refused.response)) return judgeGranted(operation, refused, own);
          await assumeKnown(refused.sandbox);
          expectRefusal(refused.response);
        },
      });
    },
  });
}

/** The ids of this tenant's example or review request, below an automation of the other tenant. */
function belowTheirAutomation(
  { ids }: ApiOperation,
  sandbox: CheckContext,
  valid: ValidRequest,
): readonly ValidRequest[] {
  const theirs = fixtureOrNull(sandbox, 'otherTenantAutomationId');
  if (theirs === null || ids.length < 2) return [];
  return [withParameter(valid, 'id', theirs)];
}

/** A grant is a violation unless the other tenant has a resource of that name too. */
async function judgeGranted(
  operation: ApiOperation,
  refused: Refused,
  own: ApiResponse,
): Promise<void> {
  const { valid, response, sandbox } = refused;
  const { ids, access } = operation;
  const same = access === 'read' && isDeepStrictEqual(response.bytes, own.bytes);
  const theirs = fixtureOrNull(sandbox, 'otherTenantAutomationId');
  const named = ids.map((name) => (name === 'path' ? null : (valid.parameters[name] ?? '')));
  // What is below an automation may be counted there.
  const foreign = named.filter(
    (id) => id !== null && id !== theirs && !isCounted(id) && !(ids.length > 1 && isAlias(id)),
  );
  if (foreign.length === 0) {
    if (!same) throw new NotApplicable('each tenant counts its own ids, so that none is foreign');
    throw new CouldNotRun(
      `both tenants get the same of ${titleOf(operation)}: they may have equal resources of this id`,
      'name a resource that the other tenant does not have in the fixtures file',
    );
  }
  if (ids.length === 1 && isAlias(valid.parameters['id'] ?? '')) {
    if (!(await showsOwn(refused, same))) return;
  }
  throw violation('a 4xx', `status ${response.status}`, response);
}

function isAlias(id: string): boolean {
  return id.startsWith('workflows.');
}

/** Two tenants can give the same slug to automations of their own: whether a response is about the one of this tenant. */
async function showsOwn({ sandbox, response }: Refused, same: boolean): Promise<boolean> {
  const { json } = response;
  const named = isRecord(json) ? json['id'] : undefined;
  if (typeof named === 'string') return isOwn(sandbox, named);
  const id = fixtureOrNull(sandbox, 'otherTenantAutomationId');
  if (!same || id === null) return false;
  const exported = operationNamed('export');
  const request = requestOf(exported, { parameters: { id } });
  const theirs = await send(sandbox, exported, { ...request, key: 'otherTenant' });
  return !isDeepStrictEqual(theirs.bytes, response.bytes);
}

function isOwn(sandbox: CheckContext, id: string): boolean {
  return (['workflowId', 'datasetAutomationId', 'conflictOwnerId'] as const).some(
    (name) => fixtureOrNull(sandbox, name) === id,
  );
}

/** Without it, the refusal would say nothing about tenants. */
async function assumeKnown({ api }: CheckContext): Promise<void> {
  assumeSuccess(await api.sample({ path: '/v1/auth/check', key: 'otherTenant' }));
}
