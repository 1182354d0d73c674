import { envelopeFault } from '../../../check-kit/exchange-rules.ts';
import { expectAllowed } from '../../../check-kit/expect.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { area } from '../../../check-kit/area.ts';
import { controlOrNull } from '../../../check-kit/control-or-null.ts';
import type { ApiClient, ApiResponse } from '../../../clients/api-client.ts';
import type { Diagnosis } from '../../../diagnosis/diagnosis.ts';
import { REMEDIES } from '../../../options/facts.ts';
import { CouldNotRun, Violation } from '../../../verdict/findings.ts';
import { frameOf, requirementsOf, titleOf } from './operation.ts';
import type { ApiOperation } from './operation.ts';
import { assumeGranted, isGranted, validResponse } from './requests.ts';
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
  return area('api.operation', frameOf(operation)).check({
    name: operation.name,
    requirements,
    title: `${titleOf(operation)} exists: a valid request ${operation.access === 'read' ? 'succeeds' : 'gets no 404, 405 or 501'}`,
    async run(context) {
      const response = await validResponse(context, operation);
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

/** What a response says about an operation that is missing; null for one that exists. */
async function absence(
  context: CheckContext,
  operation: ApiOperation,
  response: ApiResponse,
): Promise<Diagnosis | null> {
  const { status } = response;
  const fix = `Serve ${titleOf(operation)}.`;
  if (status === 405 || status === 501) {
    return {
      cause: 'The operation does not exist: something else is at its path, with other methods.',
      fix,
    };
  }
  if (status !== 404) return null;
  if (operation.ids.length === 0) {
    return { cause: 'The operation does not exist: nothing is at its path.', fix };
  }
  const unserved = await unservedCause(context.api, response);
  if (unserved !== null) return { cause: unserved, fix };
  if (controlOrNull(context) === null && operation.needs.includes('fixture.uploadId')) {
    // The other ids without a control interface are looked up before the run, or come from lists.
    const id = context.fixture('uploadId');
    throw new CouldNotRun(
      `the uploadId of the fixtures file, ${id}, is gone: ${titleOf(operation)} gets 404`,
      REMEDIES.fixture('uploadId'),
      { exchange: response.exchange },
    );
  }
  return {
    cause: 'The operation does not exist, or does not find a resource that should exist.',
    fix: `${fix} If it is served, look up the ids of the request shown: were they deleted, or do they belong to another tenant?`,
  };
}

/** Why a 404 is not that of an operation that does not know an id; null when it may be. */
export async function unservedCause(api: ApiClient, response: ApiResponse): Promise<string | null> {
  if (envelopeFault(response) === null || !(await writesEnvelopes(api))) return null;
  return 'The operation does not exist: other errors of this target have an envelope, and this 404 has none.';
}

async function writesEnvelopes(api: ApiClient): Promise<boolean> {
  return envelopeFault(await api.sample({ path: '/v1/auth/check', key: null })) === null;
}
