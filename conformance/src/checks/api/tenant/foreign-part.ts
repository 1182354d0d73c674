import { posix } from 'node:path';

import { area } from '../../../check-kit/area.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { assumeSuccess, expectRefusal, violation } from '../../../check-kit/expect.ts';
import { pathOf } from '../../../http/contract.ts';
import type { FixtureName } from '../../../options/facts.ts';
import { CouldNotRun, NotApplicable } from '../../../verdict/findings.ts';
import { automationIn, move, moveFirst } from '../operations/automations.ts';
import { freshExport, readExport, requestExport } from '../operations/export.ts';
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

const WORLD = {
  access: 'write',
  needs: ['control', 'fixture.workflowId', 'fixture.datasetAutomationId'],
} as const;

/** An own automation in the path does not open what another tenant has. */
export const foreignPartChecks: readonly Check[] = [
  ...OPERATIONS.flatMap((operation) =>
    operation.ids.flatMap((parameter) => {
      const fixture = PARTS[parameter];
      return fixture === undefined ? [] : [foreignPart(operation, parameter, fixture)];
    }),
  ),
  area('api.foreign-part', WORLD).check({
    name: 'export',
    requirements: ['auth.tenant.isolation'],
    title: 'an export with the id of an example of another tenant has no file of that example',
    needs: [...WORLD.needs, 'fixture.exportParameter'],
    async run(context) {
      const sandbox = await openSandbox(context);
      const theirs = await fileOfOtherTenant(sandbox);
      const automation = sandbox.fixture('datasetAutomationId');
      const response = await requestExport(sandbox.api, { automation, query: queryOf(sandbox) });
      if (!isGranted(response)) return expectRefusal(response);
      const { files } = await readExport(sandbox.api, response);
      if ([...files.values()].every(({ path }) => posix.basename(path) !== theirs)) return;
      throw violation(`no ${theirs} of another tenant`, 'the export has it', response);
    },
  }),
  area('api.foreign-part', WORLD).check({
    name: 'move',
    requirements: ['auth.tenant.isolation'],
    title: 'refuses to move a workflow to a folder of another tenant',
    async run(context) {
      const sandbox = await openSandbox(context);
      const workflow = sandbox.fixture('workflowId');
      await moveFirst(sandbox, workflow, { folderPath: '/' });
      const folderId = await folderOfOtherTenant(sandbox);
      const response = await move(sandbox, workflow, { folderId });
      if (isGranted(response) && isCounted(folderId)) {
        throw new CouldNotRun(
          `both tenants may have the folder ${folderId}`,
          'give folders ids that are not counted in each tenant',
        );
      }
      expectRefusal(response);
    },
  }),
];

/** Asks for the example of the other tenant. */
function queryOf(sandbox: CheckContext): Readonly<Record<string, string>> {
  return { [sandbox.fixture('exportParameter')]: sandbox.fixture('otherTenantExampleId') };
}

/** Gives an expected file of their example a name that no other file has: two tenants may have equal files. */
async function fileOfOtherTenant(sandbox: CheckContext): Promise<string> {
  const { api } = sandbox;
  const key = 'otherTenant';
  const id = sandbox.fixture('otherTenantAutomationId');
  const exampleId = sandbox.fixture('otherTenantExampleId');
  const { files } = await freshExport(api, { automation: id, query: queryOf(sandbox), key });
  const file = [...files.values()].find(({ folder }) => folder === 'expected');
  if (file === undefined) {
    throw new CouldNotRun(
      'the example of the other tenant must have an expected file, and has none',
      'return such an example as fixtures.otherTenantExampleId from POST /worlds',
    );
  }
  const newFilename = `of-that-tenant-only${posix.extname(file.path)}`;
  const path = pathOf('renameExpectedFile', { id, exampleId, path: file.path });
  assumeSuccess(await api.send({ method: 'PATCH', path, json: { newFilename }, key }));
  return newFilename;
}

/** Moves their automation to a new folder of theirs. */
async function folderOfOtherTenant(sandbox: CheckContext): Promise<string> {
  const automation = sandbox.fixture('otherTenantAutomationId');
  const json = { folderPath: 'Conformance/Theirs' };
  const moved = await move(sandbox, automation, json, 'otherTenant');
  assumeSuccess(moved);
  const { folderId } = automationIn(moved);
  if (typeof folderId === 'string') return folderId;
  throw new NotApplicable('a move shows no folderId');
}

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
      const response = await sandbox.api.send(request);
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
