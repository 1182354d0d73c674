import { API_VERSION, EVENT_TYPES } from '@hookproof/spec';

import { defect, perRun } from '../kit/defect.ts';
import type { Defect } from '../kit/defect.ts';
import { respond } from '../kit/message.ts';
import { onRequest, onResponse } from '../kit/receiver.ts';

const TYPES: readonly unknown[] = EVENT_TYPES;

/** Receivers that respond wrongly to whatever they accept, or from some event on. */
export const otherDefects: readonly Defect[] = [
  ...[302, 500].map((status) =>
    defect({
      id: `accepted-with-${status}`,
      breaks: 'receiver.valid.acknowledged',
      does: `Responds ${status} to what it accepts.`,
      receiver: onResponse('accepted', (response) => ({ ...response, status })),
    }),
  ),
  defect({
    id: 'stopped-by-unknown-event',
    breaks: 'receiver.valid.acknowledged',
    does: 'Responds 500 for two seconds after an event that it does not know.',
    receiver: perRun(() => {
      let stoppedAt = Number.NEGATIVE_INFINITY;
      return onRequest((_request, event) => {
        const isUnknown =
          event !== null && (!TYPES.includes(event.type) || event.apiVersion !== API_VERSION);
        if (isUnknown) stoppedAt = performance.now();
        return performance.now() - stoppedAt < 2_000 ? respond(500) : null;
      });
    }),
  }),
];
