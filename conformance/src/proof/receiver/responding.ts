import type { Incoming, Outgoing } from '../../http/message.ts';
import type { Knowledge } from '../knowledge.ts';
import type { Variant } from '../transformation.ts';
import { isAccepted, isDelivery } from './arrival.ts';

/** A receiver that responds differently to what it accepts or refuses. */
export interface OtherResponse {
  readonly id: string;
  readonly does: string;
  readonly takes: string;
  readonly silences?: readonly string[];
  /** Default: unchanged. */
  readonly accepted?: (response: Incoming, request: Outgoing) => Incoming | Promise<Incoming>;
  readonly refused?: (response: Incoming, request: Outgoing) => Incoming | Promise<Incoming>;
}

export function responding({ accepted, refused, ...about }: OtherResponse): Variant {
  return {
    ...about,
    side: 'receiver',
    open: () => ({
      receiver: async (request, next) => {
        const response = await next(request);
        if (!isDelivery(request) || asksToRepeat(response)) return response;
        const change = isAccepted(response) ? accepted : refused;
        return change === undefined ? response : change(response, request);
      },
    }),
  };
}

/** Such a response refuses nothing: the sender tries again. */
function asksToRepeat({ status }: Incoming): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** Stands before a delivery: returns a response in its place, or null to let it pass. Made for each run. */
export type Before = (
  knowledge: Knowledge,
) => (request: Outgoing) => Incoming | null | Promise<Incoming | null>;

/** A receiver that responds to some deliveries before it looks at them. */
export function beforehand(
  about: Pick<Variant, 'id' | 'does' | 'takes' | 'silences'>,
  before: Before,
): Variant {
  return {
    ...about,
    side: 'receiver',
    open: (knowledge) => {
      const respondTo = before(knowledge);
      return {
        receiver: async (request, next) => {
          const own = isDelivery(request) ? await respondTo(request) : null;
          return own ?? next(request);
        },
      };
    },
  };
}
