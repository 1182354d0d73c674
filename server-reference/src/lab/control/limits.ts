import type { LimitsChange } from '@hookproof/spec/control';

import type { LimitSettings } from '../../api/rate-limit.ts';
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

function changeRoute({ limits, expiries, feed }: LabServices): ControlRoute<LimitsChange> {
  /** The settings without an end, while others apply. */
  let lasting: LimitSettings | null = null;
  let cancel: (() => void) | null = null;
  const change = (settings: Partial<LimitSettings>): void => {
    limits.change(settings);
    feed.publish({ event: 'limits', data: limits.settings });
  };
  return {
    operationId: 'changeLimits',
    async handle({ body: { expiresInMilliseconds, ...settings } }) {
      cancel?.();
      const before = lasting ?? limits.settings;
      lasting = expiresInMilliseconds === undefined ? null : before;
      change(settings);
      cancel = expiries.after(expiresInMilliseconds, () => {
        lasting = null;
        change(before);
      });
      return { status: 200, body: limits.settings };
    },
  };
}
