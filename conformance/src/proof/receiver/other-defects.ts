import { API_VERSION, EVENT_TYPES } from '@hookproof/spec';

import { respond } from '../edit.ts';
import type { Defect } from '../transformation.ts';
import { eventOf, isAccepted, isDelivery } from './arrival.ts';

/** Receivers that respond wrongly to whatever they accept, or from some event on. */
export const otherDefects: readonly Defect[] = [
  ...[301, 302, 400, 404, 500].map((status): Defect => ({
    id: `accepted-with-${status}`,
    side: 'receiver',
    does: `Responds ${status} to what it accepts.`,
    breaks: 'receiver.valid.acknowledged',
    open: () => ({
      receiver: async (request, next) => {
        const response = await next(request);
        return isDelivery(request) && isAccepted(response) ? { ...response, status } : response;
      },
    }),
  })),
  {
    id: 'stopped-by-unknown-event',
    side: 'receiver',
    does: 'Responds 500 for two seconds after an event that it does not know.',
    breaks: 'receiver.valid.acknowledged',
    open: () => {
      let stoppedAt = Number.NEGATIVE_INFINITY;
      return {
        receiver: async (request, next) => {
          if (!isDelivery(request)) return next(request);
          const event = eventOf(request);
          const types: readonly unknown[] = EVENT_TYPES;
          const isUnknown =
            event !== null && (!types.includes(event.type) || event.apiVersion !== API_VERSION);
          if (isUnknown) stoppedAt = performance.now();
          return performance.now() - stoppedAt < 2_000 ? respond(500) : next(request);
        },
      };
    },
  },
];
