import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check, CheckContext, Requirements } from '../../../check-kit/check.ts';
import { expectAllowed, assumeSuccess, expectEqual, isRecord } from '../../../check-kit/expect.ts';
import { expectSchema } from '../../../check-kit/schema.ts';

/** To whom an experiment batch belongs. */
export const experimentChecks: readonly Check[] = [
  {
    ...base('fields', 'experiment.fields', 'versioning.wire.json-bodies'),
    title: 'an experiment is answered with the strings id and automationId',
    async run(context) {
      const response = await ask(context);
      expectAllowed(response);
      expectSchema('ExperimentReference', response.json, response);
    },
  },
  {
    ...base('asked-for', 'experiment.owner'),
    title: 'the id in the answer is that of the experiment that was asked for',
    async run(context) {
      const response = await ask(context);
      assumeSuccess(response);
      const { id } = membersOf(response);
      expectEqual('id', id, context.fixture('experimentId'), response);
    },
  },
  {
    ...base('owner', 'experiment.owner'),
    title: 'automationId is that of the automation that owns the experiment',
    needs: ['key.main', 'fixture.experimentId', 'fixture.experimentAutomationId'],
    async run(context) {
      const response = await ask(context);
      assumeSuccess(response);
      const { automationId } = membersOf(response);
      const owner = context.fixture('experimentAutomationId');
      expectEqual('automationId', automationId, owner, response);
    },
  },
];

export function experimentPath(id: string): string {
  return `/v1/experiments/${encodeURIComponent(id)}`;
}

function ask(context: CheckContext): Promise<ApiResponse> {
  return context.api.sample({ path: experimentPath(context.fixture('experimentId')) });
}

function membersOf({ json }: ApiResponse): Readonly<Record<string, unknown>> {
  return isRecord(json) ? json : {};
}

function base(name: string, ...requirements: Requirements): Omit<Check, 'title' | 'run'> {
  return {
    id: `api.experiment.${name}`,
    requirements,
    side: 'api',
    access: 'read',
    needs: ['key.main', 'fixture.experimentId'],
  };
}
