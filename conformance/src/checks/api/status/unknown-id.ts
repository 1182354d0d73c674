import { area } from '../../../check-kit/area.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { expectRefusal, expectStatus } from '../../../check-kit/expect.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import { controlOrNull } from '../../../check-kit/control-or-null.ts';
import { REMEDIES } from '../../../options/facts.ts';
import { CouldNotRun, NotApplicable } from '../../../verdict/findings.ts';
import {
  frameOf,
  requestOf,
  requirementsOf,
  titleOf,
  withParameter,
} from '../operations/operation.ts';
import type { ApiOperation } from '../operations/operation.ts';
import { unknownPathLike } from '../operations/id-forms.ts';
import { unknownIdLike } from '../operations/unknown-id.ts';
import { assumeGranted, refusedResponse } from '../operations/requests.ts';
import { worldSandbox } from '../operations/sandbox.ts';
import { OPERATIONS } from '../operations/table.ts';

/** 404 for an id that no resource has, and some 4xx for one that none can have. */
export const unknownIdChecks: readonly Check[] = OPERATIONS.flatMap((operation) =>
  operation.ids.flatMap((parameter) => [
    unknownId(operation, parameter),
    ...(parameter === 'path' || operation.access === 'read'
      ? []
      : [malformedId(operation, parameter)]),
  ]),
);

function unknownId(operation: ApiOperation, parameter: string): Check {
  return area('api.unknown-id', frameOf(operation)).check({
    name: nameOf(operation, parameter),
    requirements: requirementsOf(operation, ['status-code.404']),
    title: `responds with 404 to ${titleOf(operation)} with an unknown ${parameter}`,
    async run(context) {
      await assumeGranted(context, operation);
      const change = parameter === 'path' ? unknownPathLike : unknownIdLike;
      const response = await withOther(context, operation, parameter, change);
      if (response.status === 400 && parameter !== 'path') {
        await assumeKnowsNoForm(context, operation, parameter);
      }
      expectStatus(response, 404);
    },
  });
}

/**
 * An API may refuse the form of an invented id with 400, for example its check digits. An id that a deleted sandbox had
 * has the right form. Throws `NotApplicable` unless that one is refused with 400 too.
 */
async function assumeKnowsNoForm(
  context: CheckContext,
  operation: ApiOperation,
  parameter: string,
): Promise<void> {
  if (controlOrNull(context) === null) {
    throw new CouldNotRun(
      `the API responds 400 to an unknown ${parameter}, where 404 is expected: whether it refuses the form of the id that the suite made up, only an id that was deleted shows`,
      REMEDIES.control,
    );
  }
  const world = await context.control.createWorld();
  const { parameters } = await operation.request(worldSandbox(context, world));
  await context.control.deleteWorld(world.id);
  const gone = await withOther(context, operation, parameter, () => parameters[parameter] ?? '');
  if (gone.status !== 400) {
    throw new NotApplicable(
      `the API refuses the form of invented ids: status 400, and ${gone.status} for one that was deleted`,
    );
  }
}

function malformedId(operation: ApiOperation, parameter: string): Check {
  return area('api.malformed-id', frameOf(operation)).check({
    name: nameOf(operation, parameter),
    requirements: requirementsOf(operation, ['status-code.404']),
    title: `refuses ${titleOf(operation)} with a malformed ${parameter}, with a 4xx`,
    async run(context) {
      await assumeGranted(context, operation);
      expectRefusal(await withOther(context, operation, parameter, () => 'no id at all'));
    },
  });
}

function withOther(
  context: CheckContext,
  operation: ApiOperation,
  parameter: string,
  change: (value: string) => string,
): Promise<ApiResponse> {
  return refusedResponse(context, operation, ({ key }, valid) => {
    const value = change(valid.parameters[parameter] ?? '');
    return { ...requestOf(operation, withParameter(valid, parameter, value)), key };
  });
}

/** `api.unknown-id.rename-example-id`; the only id of an operation needs no name. */
function nameOf({ name, ids }: ApiOperation, parameter: string): string {
  if (ids.length === 1) return name;
  return `${name}-${parameter.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
