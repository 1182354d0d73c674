import { headerValue } from '@hookproof/conformance/hooks';
import type { Outgoing } from '@hookproof/conformance/hooks';

import { defect } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { respond } from '../kit/message.ts';
import { eventOf, isAccepted, isDelivery } from '../kit/receiver.ts';

const BREAKS = 'receiver.duplicate.acknowledged';

/** Receivers for which a duplicate is an error. */
export const duplicateDefects: readonly Defect[] = [
  defect({
    id: 'duplicate-refused',
    breaks: BREAKS,
    does: 'Responds 409 to a duplicate.',
    receiver: onDuplicate(({ accepted }) => (accepted > 0 ? 409 : null)),
  }),
  defect({
    id: 'new-timestamp-refused',
    breaks: BREAKS,
    does: 'Responds 409 to a duplicate with another timestamp.',
    receiver: onDuplicate(({ accepted, isOtherTimestamp }) =>
      accepted > 0 && isOtherTimestamp ? 409 : null,
    ),
  }),
  defect({
    id: 'simultaneous-duplicate-refused',
    breaks: BREAKS,
    does: 'Responds 409 to a duplicate of an event that it is accepting.',
    receiver: onDuplicate(({ inProgress }) => (inProgress > 0 ? 409 : null)),
  }),
];

/** What a receiver knows when a delivery of an event arrives that it has seen before. */
interface Again {
  /** How often the event was accepted before. */
  readonly accepted: number;
  /** How many deliveries of the event are in progress. */
  readonly inProgress: number;
  readonly isOtherTimestamp: boolean;
}

/** `statusOf` null: the delivery is accepted. */
function onDuplicate(statusOf: (again: Again) => number | null): Open {
  return () => {
    const known = new Map<string, { accepted: number; inProgress: number; first: string }>();
    return {
      receiver: async (request, next) => {
        const event = isDelivery(request) ? eventOf(request) : null;
        if (event === null) return next(request);
        const timestamp = timestampOf(request);
        const state = known.get(event.id) ?? { accepted: 0, inProgress: 0, first: timestamp };
        known.set(event.id, state);
        const { accepted, inProgress, first } = state;
        const status = statusOf({ accepted, inProgress, isOtherTimestamp: timestamp !== first });
        if (status !== null) return respond(status);
        state.inProgress += 1;
        const response = await next(request).finally(() => (state.inProgress -= 1));
        if (isAccepted(response)) state.accepted += 1;
        return response;
      },
    };
  };
}

function timestampOf({ headers }: Outgoing): string {
  return headerValue(headers, 'webhook-timestamp') ?? '';
}
