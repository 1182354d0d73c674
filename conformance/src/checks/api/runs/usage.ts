import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import { expectAllowed } from '../../../check-kit/expect.ts';
import { pathOf } from '../../../http/contract.ts';

const runUsage = area('api.run-usage', { access: 'read', needs: ['key.main', 'fixture.runId'] });

/** What a run consumed. */
export const usageChecks: readonly Check[] = [
  runUsage.check({
    name: 'response',
    requirements: ['run-usage.response'],
    title: 'responds with a 2xx to a request for the usage of a run',
    async run(context) {
      const path = pathOf('getRunUsage', { id: context.fixture('runId') });
      expectAllowed(await context.api.sample({ path }));
    },
  }),
];
