import { expectAllowed } from '../../../check-kit/expect.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { area } from '../../../check-kit/area.ts';
import { controlOrNull } from '../../../check-kit/control-or-null.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Diagnosis } from '../../../diagnosis/diagnosis.ts';
import type { FixtureName } from '../../../options/facts.ts';
import { fixtureRemedy } from '../../../options/remedies.ts';
import { CouldNotRun, Violation } from '../../../verdict/findings.ts';
import { absenceOf } from './absence.ts';
import { refusalFrameOf, requirementsOf, titleOf } from './operation.ts';
import type { ApiOperation } from './operation.ts';
import { assumeGranted, isGranted, responseToNothing, validResponse } from './requests.ts';
import { OPERATIONS } from './table.ts';

/** The requirement of each operation that nothing meets without it. */
const REQUIREMENTS: Readonly<Record<string, string>> = {
  inbox: 'inbox.list.status-200',
  templates: 'template.list.tenant',
  agents: 'agent.list.app-address',
  'auth-check': 'auth-check.identity',
  export: 'export.zip',
  usage: 'run-usage.response',
  file: 'file.metadata',
  'file-content': 'file-content.bytes',
  experiment: 'experiment.owner',
  'review-update': 'review-update.response.detail',
  move: 'automation-move.response',
  rename: 'expected-rename.renames',
  'input-delete': 'input-delete.deletes',
  'review-clear': 'run-review.clear.response',
  feedback: 'feedback-copy.copies',
  'upload-complete': 'upload-complete.promotes',
};

/** The contract's operations exist: a valid request does not get what a path without an operation gets. */
export const operationChecks: readonly Check[] = OPERATIONS.map((operation) => {
  const own = REQUIREMENTS[operation.name];
  const requirements = requirementsOf(
    operation,
    own === undefined ? ['versioning.path-major'] : [own, 'versioning.path-major'],
  );
  return area('api.operation', refusalFrameOf(operation)).check({
    name: operation.name,
    requirements,
    title: `${titleOf(operation)} exists: a valid request ${operation.access === 'read' ? 'succeeds' : 'gets no 404, 405 or 501'}`,
    async run(context) {
      const response = await validOrUnserved(context, operation);
      const diagnosis = await absence(context, operation, response);
      if (diagnosis === null) {
        if (operation.access === 'read' && !isGranted(response)) expectAllowed(response);
        // Other checks report what else is wrong with a write: the contract does not state which fields it requires.
        await assumeGranted(context, operation);
        return;
      }
      throw new Violation({
        expected: 'a success of a valid request',
        actual: `status ${response.status}`,
        exchange: response.exchange,
        diagnosis,
      });
    },
  });
});

/** Without the fixtures of a valid request, one to ids that exist nowhere may show that nothing serves the operation. */
async function validOrUnserved(
  context: CheckContext,
  operation: ApiOperation,
): Promise<ApiResponse> {
  try {
    return await validResponse(context, operation);
  } catch (error) {
    if (!(error instanceof CouldNotRun)) throw error;
    const nothing = await responseToNothing(context, operation);
    if (nothing === null || nothing.cause === null) throw error;
    return nothing.response;
  }
}

/** The other ids without a control interface are looked up before the run, or come from lists. */
const UNSEEN: Readonly<Record<string, FixtureName>> = {
  'upload-complete': 'uploadId',
  move: 'workflowId',
  'review-clear': 'clearableRunId',
};

/** What a response says about an operation that is missing; null for one that exists. */
async function absence(
  context: CheckContext,
  operation: ApiOperation,
  response: ApiResponse,
): Promise<Diagnosis | null> {
  const fix = `Serve ${titleOf(operation)}.`;
  const isNotFound = response.status === 404;
  if (isNotFound && operation.ids.length === 0) {
    return { cause: 'The operation does not exist: nothing is at its path.', fix };
  }
  const cause = await absenceOf(context.api, response);
  if (cause !== null) return { cause, fix };
  if (!isNotFound) return null;
  const name = UNSEEN[operation.name];
  if (controlOrNull(context) === null && name !== undefined) {
    const id = context.fixture(name);
    throw new CouldNotRun(
      `the ${name} of the fixtures file, ${id}, is gone: ${titleOf(operation)} gets 404`,
      fixtureRemedy(name),
      { exchange: response.exchange },
    );
  }
  return {
    cause: 'The operation does not exist, or does not find a resource that should exist.',
    fix: `${fix} If it is served, look up the ids of the request shown: were they deleted, or do they belong to another tenant?`,
  };
}
