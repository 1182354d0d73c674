import { headerValue } from '../../http/message.ts';
import type { Outgoing } from '../../http/message.ts';
import { respond } from '../edit.ts';
import type { Defect } from '../transformation.ts';
import { eventOf, isAccepted, isDelivery } from './arrival.ts';

/** What a receiver knows when a delivery of an event arrives that it has seen before. */
interface Again {
  /** How often the event was accepted before. */
  readonly accepted: number;
  /** How many deliveries of the event are in progress. */
  readonly inProgress: number;
  readonly isOtherTimestamp: boolean;
}

/** Receivers for which a duplicate is an error. */
export const duplicateDefects: readonly Defect[] = [
  duplicate('duplicate-refused-with-409', 'Responds 409 to a duplicate.', ({ accepted }) =>
    accepted > 0 ? 409 : null,
  ),
  duplicate('duplicate-fails', 'Responds 500 to a duplicate.', ({ accepted }) =>
    accepted > 0 ? 500 : null,
  ),
  duplicate('duplicate-unavailable', 'Responds 503 to a duplicate.', ({ accepted }) =>
    accepted > 0 ? 503 : null,
  ),
  duplicate('second-duplicate-refused', 'Responds 409 to a second duplicate.', ({ accepted }) =>
    accepted > 1 ? 409 : null,
  ),
  duplicate('duplicate-redirected', 'Responds 304 to a duplicate.', ({ accepted }) =>
    accepted > 0 ? 304 : null,
  ),
  duplicate(
    'new-timestamp-refused',
    'Refuses a duplicate with another timestamp.',
    ({ accepted, isOtherTimestamp }) => (accepted > 0 && isOtherTimestamp ? 409 : null),
  ),
  duplicate(
    'simultaneous-duplicate-refused',
    'Responds 409 to a duplicate of an event that it is accepting.',
    ({ inProgress }) => (inProgress > 0 ? 409 : null),
  ),
  duplicate(
    'simultaneous-duplicate-fails',
    'Responds 400 to a duplicate of an event that it is accepting.',
    ({ inProgress }) => (inProgress > 0 ? 400 : null),
  ),
];

/** `statusOf` null: the delivery is accepted. */
function duplicate(id: string, does: string, statusOf: (again: Again) => number | null): Defect {
  return {
    id,
    side: 'receiver',
    does,
    breaks: 'receiver.duplicate.acknowledged',
    open: () => {
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
    },
  };
}

function timestampOf({ headers }: Outgoing): string {
  return headerValue(headers, 'webhook-timestamp') ?? '';
}
