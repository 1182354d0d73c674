import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import { expectRefusal } from '../../../check-kit/expect.ts';
import type { FixtureName } from '../../../options/facts.ts';
import { CouldNotRun } from '../../../verdict/findings.ts';
import { isCounted } from '../operations/id-forms.ts';
import { frameOf, requestOf, titleOf, withParameter } from '../operations/operation.ts';
import type { ApiOperation } from '../operations/operation.ts';
import { assumeGranted, isGranted } from '../operations/requests.ts';
import { openSandbox } from '../operations/sandbox.ts';
import { OPERATIONS } from '../operations/table.ts';

/** The parameters that name a part of an automation, each with the fixture of another tenant. */
const PARTS: Readonly<Record<string, FixtureName>> = {
  reviewId: 'otherTenantReviewId',
  exampleId: 'otherTenantExampleId',
};

/** An own automation in the path does not open what another tenant has below its own. */
export const foreignPartChecks: readonly Check[] = OPERATIONS.flatMap((operation) =>
  operation.ids.flatMap((parameter) => {
    const fixture = PARTS[parameter];
    return fixture === undefined ? [] : [foreignPart(operation, parameter, fixture)];
  }),
);

function foreignPart(operation: ApiOperation, parameter: string, fixture: FixtureName): Check {
  const frame = frameOf(operation);
  const needs = [...new Set([...frame.needs, 'control' as const])];
  return area('api.foreign-part', { ...frame, needs }).check({
    name: operation.name,
    requirements: ['auth.tenant.isolation'],
    title: `refuses ${titleOf(operation)} with an own automation and the ${parameter} of another tenant`,
    async run(context) {
      await assumeGranted(context, operation);
      const sandbox = await openSandbox(context);
      const theirs = sandbox.fixture(fixture);
      const valid = await operation.request(sandbox);
      const request = requestOf(operation, withParameter(valid, parameter, theirs));
      const response = await sandbox.api.send({ ...request, key: sandbox.key });
      if (isGranted(response) && isCounted(theirs)) {
        throw new CouldNotRun(
          `both tenants may have the ${parameter} ${theirs}`,
          `return a fixtures.${fixture} from POST /worlds that this tenant does not have`,
        );
      }
      expectRefusal(response);
    },
  });
}
