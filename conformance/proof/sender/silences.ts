import { defect, perRun } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { respond } from '../kit/message.ts';
import {
  between,
  dataIn,
  isAgent,
  isChanged,
  isCreated,
  isRedelivered,
  isTest,
  onDelivery,
} from '../kit/sender.ts';
import type { When } from '../kit/sender.ts';

const CREATED = 'webhook-event.created.sent';
const CHANGED = 'webhook-event.status-changed.sent';

/** Events that are never sent. */
export const silenceDefects: readonly Defect[] = [
  defect({
    id: 'silent-creations',
    breaks: CREATED,
    does: 'Sends no run.created.',
    sender: silentWhen(isCreated),
  }),
  defect({
    id: 'silent-creations-of-agents',
    breaks: CREATED,
    does: 'Sends no run.created for agent runs.',
    sender: silentWhen((seen) => isCreated(seen) && isAgent(seen)),
  }),
  defect({
    id: 'silent-creations-by-cron',
    breaks: CREATED,
    does: 'Sends no run.created for runs with the trigger cron.',
    sender: silentWhen((seen) => isCreated(seen) && seen.run['triggerType'] === 'cron'),
  }),
  defect({
    id: 'silent-changes',
    breaks: CHANGED,
    does: 'Sends no run.status_changed.',
    sender: silentWhen(isChanged),
  }),
  defect({
    id: 'silent-changes-after-a-refused-creation',
    breaks: CHANGED,
    does: 'Sends no change of a run whose run.created got a 4xx.',
    sender: perRun(() => {
      const refused = new Set<unknown>();
      return between(async (delivery, next, seen) => {
        const run = seen.run['id'];
        if (isChanged(seen) && refused.has(run)) return respond(204);
        const response = await next(delivery);
        const isFinal =
          response.status >= 400 &&
          response.status <= 499 &&
          ![408, 425, 429].includes(response.status);
        if (isCreated(seen) && isFinal) refused.add(run);
        return response;
      });
    }),
  }),
  defect({
    id: 'silent-changes-after-an-hour',
    breaks: CHANGED,
    does: 'Forgets a run an hour after its creation, and sends none of its later changes.',
    sender: silentWhen(
      (seen) =>
        isChanged(seen) &&
        Date.parse(String(seen.event['createdAt'])) - Date.parse(String(seen.run['createdAt'])) >
          3_600_000,
    ),
  }),
  defect({
    id: 'silent-changes-of-agents',
    breaks: CHANGED,
    does: 'Sends no run.status_changed for agent runs.',
    sender: silentWhen((seen) => isChanged(seen) && isAgent(seen)),
  }),
  defect({
    id: 'silent-change-waiting-running',
    breaks: CHANGED,
    does: 'Sends nothing when a waiting run continues.',
    sender: silentWhen(isTransition('waiting', 'running')),
  }),
  defect({
    id: 'silent-change-created-pending',
    breaks: CHANGED,
    does: 'Sends nothing when a created run becomes pending.',
    sender: silentWhen(isTransition('created', 'pending')),
  }),
  defect({
    id: 'silent-change-pending-rejected',
    breaks: CHANGED,
    does: 'Sends nothing when a pending run is rejected.',
    sender: silentWhen(isTransition('pending', 'rejected')),
  }),
  defect({
    id: 'silent-agents-when-failed',
    breaks: CHANGED,
    does: 'Sends nothing when an agent run fails.',
    sender: silentWhen(
      (seen) => isChanged(seen) && isAgent(seen) && seen.run['status'] === 'failed',
    ),
  }),
  defect({
    id: 'silent-test-events',
    breaks: 'webhook-event.test.sent',
    does: 'Sends nothing for the Send test action.',
    sender: silentWhen(isTest),
  }),
  defect({
    id: 'silent-second-attempts',
    breaks: 'delivery.at-least-once',
    does: 'Skips the second attempt of an event.',
    sender: silentWhen(({ attempt, isRedelivery }) => attempt === 2 && !isRedelivery),
  }),
  defect({
    id: 'silent-redeliveries',
    breaks: 'delivery.redelivery.sent',
    does: 'Sends nothing for a redelivery.',
    sender: silentWhen(isRedelivered),
  }),
];

/** The target takes the delivery for accepted. */
function silentWhen(when: When): Open {
  return onDelivery(() => respond(204), when);
}

function isTransition(from: string, to: string): When {
  return ({ event }) => {
    const { previousStatus, currentStatus } = dataIn({ ...event });
    return previousStatus === from && currentStatus === to;
  };
}
