import type { LimitsChange } from '@hookproof/spec/control';

import type { Services } from '../app/handler.ts';
import type { ControlRoute } from './control-route.ts';

/** Rate limits, and whether requests can be counted. */
export function limitRoutes(services: Services): ControlRoute[] {
  return [
    {
      operationId: 'getLimits',
      handle: async () => ({ status: 200, body: services.limits.settings }),
    },
    changeRoute(services),
  ];
}

function changeRoute({ limits }: Services): ControlRoute<LimitsChange> {
  return {
    operationId: 'changeLimits',
    async handle({ body }) {
      limits.change(body);
      return { status: 200, body: limits.settings };
    },
  };
}
