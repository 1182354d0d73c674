import { area } from '../../../check-kit/area.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { assumeSuccess, expectEqual } from '../../../check-kit/expect.ts';
import { pathOf } from '../../../http/contract.ts';
import { membersOf } from '../../../http/message.ts';

const experiment = area('api.experiment', {
  access: 'read',
  needs: ['key.main', 'fixture.experimentId'],
});

/** An experiment batch and its automation. */
export const experimentChecks: readonly Check[] = [
  experiment.check({
    name: 'asked-for',
    requirements: ['experiment.owner'],
    title: 'returns the requested experiment',
    async run(context) {
      const response = await ask(context);
      assumeSuccess(response);
      const { id } = membersOf(response.json);
      expectEqual('id', id, context.fixture('experimentId'), response);
    },
  }),
  experiment.check({
    name: 'owner',
    requirements: ['experiment.owner'],
    title: 'automationId is the automation that owns the experiment',
    needs: ['key.main', 'fixture.experimentId', 'fixture.experimentAutomationId'],
    async run(context) {
      const response = await ask(context);
      assumeSuccess(response);
      const { automationId } = membersOf(response.json);
      const owner = context.fixture('experimentAutomationId');
      expectEqual('automationId', automationId, owner, response);
    },
  }),
];

function ask(context: CheckContext): Promise<ApiResponse> {
  const experimentId = context.fixture('experimentId');
  return context.api.sample({ path: pathOf('getExperiment', { experimentId }) });
}
