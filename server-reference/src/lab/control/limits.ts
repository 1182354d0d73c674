import type { LimitsChange } from '@hookproof/spec/control';

import type { ControlRoute } from './operation.ts';
import type { LabServices } from './services.ts';

/** Routes for the rate limit and the availability of request accounting. */
export function limitRoutes(services: LabServices): ControlRoute[] {
  return [
    {
      operationId: 'getLimits',
      handle: async () => ({ status: 200, body: services.limits.settings }),
    },
    changeRoute(services),
  ];
}

function changeRoute({ limits }: LabServices): ControlRoute<LimitsChange> {
  return {
    operationId: 'changeLimits',
    async handle({ body }) {
      limits.change(body);
      return { status: 200, body: limits.settings };
    },
  };
}
