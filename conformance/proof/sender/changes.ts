import { defect } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import type { Fields } from '../kit/message.ts';
import {
  another,
  between,
  dataIn,
  deliver,
  editEvent,
  editRun,
  isChanged,
  isCreated,
  isReal,
  runIn,
} from '../kit/sender.ts';
import type { When } from '../kit/sender.ts';

const BOTH = 'webhook-event.status-changed.previous-and-current';
const CURRENT = 'webhook-event.status-changed.current-equals-run';
const CHAIN = 'webhook-event.status-changed.chain';
const NONE = 'webhook-event.created.no-previous-or-current';

/** Events that report something else than what happened. */
export const changeDefects: readonly Defect[] = [
  defect({
    id: 'change-previous-status-missing',
    breaks: BOTH,
    does: 'A status change has no previousStatus.',
    sender: editData((data) => delete data['previousStatus'], isChanged),
  }),
  defect({
    id: 'change-current-status-null',
    breaks: BOTH,
    does: 'currentStatus of a status change is null.',
    sender: editData((data) => (data['currentStatus'] = null), isChanged),
  }),
  defect({
    id: 'creation-has-previous-status',
    breaks: NONE,
    does: 'run.created has previousStatus.',
    sender: editData((data) => (data['previousStatus'] = 'created'), isCreated),
  }),
  defect({
    id: 'creation-has-current-status-null',
    breaks: NONE,
    does: 'run.created has currentStatus null.',
    sender: editData((data) => (data['currentStatus'] = null), isCreated),
  }),
  defect({
    id: 'change-run-is-previous',
    breaks: CURRENT,
    does: 'A status change shows the run before the change.',
    sender: editEvent(
      (event) => (runIn(event)['status'] = dataIn(event)['previousStatus']),
      isChanged,
    ),
  }),
  defect({
    id: 'change-waiting-hidden',
    breaks: CHAIN,
    does: 'Reports the return from waiting as a start from pending.',
    sender: editData((data) => {
      if (data['previousStatus'] === 'waiting') data['previousStatus'] = 'pending';
    }, isChanged),
  }),
  defect({
    id: 'second-event-for-changes',
    breaks: CHAIN,
    does: 'Sends two events with different ids for each status change.',
    sender: withSecondEvent(isChanged, (event) => {
      event['createdAt'] = '2030-01-01T00:00:00.000Z';
    }),
  }),
  defect({
    id: 'second-event-for-creations',
    breaks: 'webhook-envelope.id.idempotency-key',
    does: 'Sends two events with different ids for each creation.',
    sender: withSecondEvent(isCreated, () => undefined),
  }),
  defect({
    id: 'completed-run-returns',
    breaks: 'states.run.terminal',
    does: 'A completed run returns to pending.',
    sender: withSecondEvent(
      (seen) => isChanged(seen) && seen.run['status'] === 'completed',
      (event) => {
        Object.assign(dataIn(event), { previousStatus: 'completed', currentStatus: 'pending' });
        runIn(event)['status'] = 'pending';
      },
    ),
  }),
  defect({
    id: 'created-shows-a-later-status',
    breaks: 'webhook-event.created.initial-snapshot',
    does: 'A later attempt of run.created shows the run as running.',
    sender: editRun(
      (run) => (run['status'] = 'running'),
      (seen) => isCreated(seen) && seen.attempt > 1,
    ),
  }),
];

function editData(edit: (data: Fields) => unknown, when: When): Open {
  return editEvent((event) => edit(dataIn(event)), when);
}

/** Sends a further event with an id of its own before each first attempt. */
function withSecondEvent(when: When, edit: (event: Fields) => unknown): Open {
  return between(async (request, next, seen) => {
    if (isReal(seen) && when(seen) && seen.attempt === 1)
      await deliver(another(request, seen, edit), next);
    return next(request);
  });
}
