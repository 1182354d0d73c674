import type { Incoming } from '../../http/message.ts';
import { respond } from '../edit.ts';
import type { Defect, Variant } from '../transformation.ts';
import { arrivalOf, isAccepted, isDelivery, keyFinder, signedAgain } from './arrival.ts';
import { accepts, RIGHT_STEPS } from './verification.ts';
import type { Steps } from './verification.ts';

/** A receiver that verifies with one other step: the id, its sentence, and the step. */
export type OtherStep = readonly [id: string, does: string, steps: Partial<Steps>];

/** Receivers that break a requirement because of one other step. */
export function stepDefects(breaks: string, others: readonly OtherStep[]): readonly Defect[] {
  return others.map(([id, does, steps]) => ({ ...withSteps(id, does, steps), breaks }));
}

/** Receivers that may have another step. */
export function stepVariants(takes: string, others: readonly OtherStep[]): readonly Variant[] {
  return others.map(([id, does, steps]) => ({ ...withSteps(id, does, steps), takes }));
}

function withSteps(
  id: string,
  does: string,
  steps: Partial<Steps>,
): Pick<Defect, 'id' | 'does' | 'side' | 'open'> {
  const changed = { ...RIGHT_STEPS, ...steps };
  return {
    id,
    side: 'receiver',
    does,
    open: ({ receiverSecret }) => {
      if (receiverSecret === undefined) return {};
      const keyOf = keyFinder(receiverSecret);
      return {
        receiver: async (request, next) => {
          if (!isDelivery(request)) return next(request);
          const key = keyOf(request);
          const arrival = arrivalOf(request);
          const [before, after] = [RIGHT_STEPS, changed].map((each) => accepts(each, arrival, key));
          if (before === after) return next(request);
          return after === true ? accepted(await next(signedAgain(request, key))) : respond(401);
        },
      };
    },
  };
}

/** The target itself may refuse a body that is no event. */
function accepted(response: Incoming): Incoming {
  return isAccepted(response) ? response : respond(200);
}
