import type { Services } from '../app/handler.ts';
import { LONGEST_WINDOW_SECONDS } from '../limits/count-request.ts';
import type { LimitSettings } from '../limits/request-limits.ts';
import type { ControlRoute } from './control-route.ts';

/** Rate limits, and whether requests can be counted. */
export function limitRoutes(services: Services): ControlRoute[] {
  return [
    {
      method: 'GET',
      path: '/limits',
      handle: async () => ({ status: 200, body: services.limits.settings }),
    },
    changeRoute(services),
  ];
}

function changeRoute({ limits }: Services): ControlRoute<Partial<LimitSettings>> {
  return {
    method: 'PATCH',
    path: '/limits',
    bodySchema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        rateLimit: {
          type: ['object', 'null'],
          additionalProperties: false,
          required: ['requests', 'windowSeconds'],
          properties: {
            requests: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
            windowSeconds: { type: 'integer', minimum: 1, maximum: LONGEST_WINDOW_SECONDS },
          },
        },
        accounting: { enum: ['available', 'unavailable'] },
      },
    },
    async handle({ body }) {
      limits.change(body);
      return { status: 200, body: limits.settings };
    },
  };
}
