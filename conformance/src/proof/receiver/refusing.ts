import type { Outgoing } from '../../http/message.ts';
import { respond } from '../edit.ts';
import type { Defect } from '../transformation.ts';
import { eventOf, isDelivery } from './arrival.ts';
import type { EventView } from './arrival.ts';

/** Which deliveries a receiver wrongly refuses, and with which status. */
export interface Refusal {
  readonly id: string;
  readonly does: string;
  readonly breaks: string;
  readonly refuses: (event: EventView, request: Outgoing) => boolean;
  /** Default 400. */
  readonly status?: number;
}

/** A receiver that refuses deliveries of a kind, whether their signature is right or not. */
export function refusing({ refuses, status = 400, ...about }: Refusal): Defect {
  return {
    ...about,
    side: 'receiver',
    open: () => ({
      receiver: async (request, next) => {
        const event = isDelivery(request) ? eventOf(request) : null;
        return event !== null && refuses(event, request) ? respond(status) : next(request);
      },
    }),
  };
}
