import { area } from '../../../check-kit/area.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { expectRefusal, expectStatus } from '../../../check-kit/expect.ts';
import { judgeEach } from '../../../check-kit/values.ts';
import type { ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import { controlOrNull } from '../../../check-kit/control-or-null.ts';
import { optionRemedy } from '../../../options/remedies.ts';
import { CouldNotRun, NotApplicable } from '../../../verdict/findings.ts';
import {
  refusalFrameOf,
  requestOf,
  requirementsOf,
  titleOf,
  withParameter,
} from '../operations/operation.ts';
import type { ApiOperation, ValidRequest } from '../operations/operation.ts';
import { unknownPathLike } from '../operations/id-forms.ts';
import { unknownIdLike } from '../operations/unknown-id.ts';
import { refusedToNothing } from '../operations/requests.ts';
import { OPERATIONS } from '../operations/table.ts';

const MALFORMED = 'a malformed one';

/** 404 for an id that no resource has, and some 4xx for one that none can have. */
export const unknownIdChecks: readonly Check[] = OPERATIONS.flatMap((operation) =>
  operation.ids.map((parameter) => unknownId(operation, parameter)),
);

function unknownId(operation: ApiOperation, parameter: string): Check {
  const change = parameter === 'path' ? unknownPathLike : unknownIdLike;
  const hasForm = parameter !== 'path' && operation.access !== 'read';
  const values = [`an unknown ${parameter}`, ...(hasForm ? [MALFORMED] : [])];
  const malformed = hasForm ? ', and with a 4xx to a malformed one' : '';
  return area('api.unknown-id', frameBelow(operation, parameter)).check({
    name: nameOf(operation, parameter),
    requirements: requirementsOf(operation, ['status-code.404']),
    title: `responds with 404 to ${titleOf(operation)} with an unknown ${parameter}${malformed}`,
    async run(context) {
      let open: NotApplicable | null = null;
      await judgeEach(values, String, async (value) => {
        if (value === MALFORMED) {
          expectRefusal(await withOther(context, operation, parameter, () => 'no id at all'));
          return;
        }
        const response = await withOther(context, operation, parameter, change);
        if (response.status === 400 && parameter !== 'path') {
          open = await formRefusal(context, operation, parameter);
          if (open !== null) return;
        }
        expectStatus(response, 404);
      });
      if (open !== null) throw open;
    },
  });
}

/**
 * An API may refuse the form of an invented id with 400, for example its check digits. An id that a deleted sandbox had
 * has the right form. Null when that one is refused with 400 too.
 */
async function formRefusal(
  context: CheckContext,
  operation: ApiOperation,
  parameter: string,
): Promise<NotApplicable | null> {
  if (controlOrNull(context) === null) {
    throw new CouldNotRun(
      `the API responds 400 to an unknown ${parameter}, where 404 is expected: whether it refuses the form of the id that the suite made up, only an id that was deleted shows`,
      optionRemedy('control'),
    );
  }
  const world = await context.control.createWorld();
  const { parameters } = await operation.request(context.inWorld(world));
  await context.control.deleteWorld({ id: world.id });
  const gone = await withOther(context, operation, parameter, () => parameters[parameter] ?? '');
  if (gone.status === 400) return null;
  return new NotApplicable(
    `the API refuses the form of invented ids: status 400, and ${gone.status} for one that was deleted`,
  );
}

function withOther(
  context: CheckContext,
  operation: ApiOperation,
  parameter: string,
  change: (value: string) => string,
): Promise<ApiResponse> {
  const changed = (valid: ValidRequest): ApiRequest => {
    const value = change(valid.parameters[parameter] ?? '');
    return requestOf(operation, withParameter(valid, parameter, value));
  };
  return refusedToNothing(context, operation, changed, idsAbove(operation, parameter));
}

/** The ids in the path before this one. */
function idsAbove({ ids }: ApiOperation, parameter: string): readonly string[] {
  return ids.slice(0, ids.indexOf(parameter));
}

/** Outside a world, what is above an unknown part is of the fixtures. */
function frameBelow(operation: ApiOperation, parameter: string): ReturnType<typeof refusalFrameOf> {
  const frame = refusalFrameOf(operation);
  if (operation.toNothing === undefined) return frame;
  const fixtures = idsAbove(operation, parameter).map((name) =>
    name === 'id' ? ('fixture.datasetAutomationId' as const) : ('fixture.exampleId' as const),
  );
  return { ...frame, needs: [...frame.needs, ...fixtures] };
}

/** `api.unknown-id.rename-example-id`; the only id of an operation needs no name. */
function nameOf({ name, ids }: ApiOperation, parameter: string): string {
  if (ids.length === 1) return name;
  return `${name}-${parameter.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
