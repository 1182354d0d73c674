import { envelopeFault } from '../../../check-kit/exchange-rules.ts';
import type { Check, CheckContext, Requirements } from '../../../check-kit/check.ts';
import { area } from '../../../check-kit/area.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Diagnosis } from '../../../diagnosis/diagnosis.ts';
import { Violation } from '../../../verdict/findings.ts';
import { frameOf, titleOf } from './operation.ts';
import type { ApiOperation } from './operation.ts';
import { assumeGranted, validResponse } from './requests.ts';
import { OPERATIONS } from './table.ts';

/** The requirement of each operation that nothing meets without it. */
const REQUIREMENTS: Readonly<Record<string, string>> = {
  inbox: 'inbox.list.status-200',
  templates: 'template.list.tenant',
  agents: 'agent.list.app-address',
  'auth-check': 'auth-check.identity',
  export: 'export.zip',
  usage: 'run-usage.response',
  run: 'run.full-result',
  file: 'file.metadata',
  'file-content': 'file-content.bytes',
  experiment: 'experiment.owner',
  'review-update': 'review-update.response.detail',
  move: 'automation-move.response',
  rename: 'expected-rename.renames',
  'input-delete': 'input-delete.deletes',
  'review-clear': 'run-review.clear.response',
  feedback: 'feedback-copy.copies',
  'feedback-app': 'feedback-copy.app-address',
  'upload-complete': 'upload-complete.promotes',
};

/** The contract's operations exist: a valid request does not get what a path without an operation gets. */
export const operationChecks: readonly Check[] = OPERATIONS.map((operation) => {
  const own = REQUIREMENTS[operation.name];
  const requirements: Requirements =
    own === undefined ? ['versioning.path-major'] : [own, 'versioning.path-major'];
  return area('api.operation', frameOf(operation)).check({
    name: operation.name,
    requirements,
    title: `${titleOf(operation)} exists: a valid request gets no 404, 405 or 501`,
    async run(context) {
      const response = await validResponse(context, operation);
      const diagnosis = await absence(context, operation, response);
      if (diagnosis === null) {
        // Another check reports what else is wrong with it.
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
  if (envelopeFault(response) !== null && (await writesEnvelopes(context))) {
    return {
      cause:
        'The operation does not exist: other errors of this target have an envelope, and this 404 has none.',
      fix,
    };
  }
  return {
    cause: 'The operation does not exist, or does not find a resource that should exist.',
    fix: `${fix} If it is served, look up the ids of the request shown: were they deleted, or do they belong to another tenant?`,
  };
}

async function writesEnvelopes({ api }: CheckContext): Promise<boolean> {
  return envelopeFault(await api.sample({ path: '/v1/auth/check', key: null })) === null;
}
