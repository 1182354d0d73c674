import { defect, perRun } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import type { Fields } from '../kit/message.ts';
import { dataIn, editEvent, editRun, isAgent, runIn } from '../kit/sender.ts';

const FIELDS = 'webhook-run.fields';
const STATUSES = 'states.run.values';
const COMPLETED_AT = 'webhook-run.completed-at';
const CREATED_AT = 'webhook-run.created-at';

/** Runs with other members in events. */
export const runDefects: readonly Defect[] = [
  defect({
    id: 'run-status-object',
    breaks: FIELDS,
    does: 'The status of a run is an object.',
    sender: editRun((run) => (run['status'] = { value: run['status'] })),
  }),
  defect({
    id: 'run-started-at-missing',
    breaks: FIELDS,
    does: 'A run in an event has no startedAt.',
    sender: editRun((run) => delete run['startedAt']),
  }),
  defect({
    id: 'run-status-queued',
    breaks: 'states.run.values',
    does: 'The status pending is called queued.',
    sender: called('pending', 'queued'),
  }),
  defect({
    id: 'run-status-canceled',
    breaks: STATUSES,
    does: 'The status cancelled is called canceled.',
    sender: called('cancelled', 'canceled'),
  }),
  defect({
    id: 'run-completed-at-null-when-rejected',
    breaks: COMPLETED_AT,
    does: 'completedAt of a rejected run is null.',
    sender: editRun(
      (run) => (run['completedAt'] = null),
      ({ run }) => run['status'] === 'rejected',
    ),
  }),
  defect({
    id: 'run-completed-at-missing-when-agent-failed',
    breaks: COMPLETED_AT,
    does: 'An agent run that failed has no completedAt.',
    sender: editRun(
      (run) => delete run['completedAt'],
      (seen) => isAgent(seen) && seen.run['status'] === 'failed',
    ),
  }),
  defect({
    id: 'run-completed-at-boolean',
    breaks: COMPLETED_AT,
    does: 'completedAt is a boolean.',
    sender: editRun((run) => (run['completedAt'] = run['completedAt'] !== null)),
  }),
  defect({
    id: 'run-started-at-boolean',
    breaks: 'webhook-run.fields',
    does: 'startedAt is a boolean.',
    sender: editRun((run) => (run['startedAt'] = run['startedAt'] !== null)),
  }),
  defect({
    id: 'run-created-at-of-the-event',
    breaks: CREATED_AT,
    does: 'createdAt of a run is another in each event.',
    sender: perRun(() => {
      const times = new Map<unknown, number>();
      return editEvent((event) => {
        const run = runIn(event);
        if (!times.has(event['id'])) times.set(event['id'], times.size * 2_000);
        const shift = times.get(event['id']) ?? 0;
        run['createdAt'] = new Date(Date.parse(String(run['createdAt'])) + shift).toISOString();
      });
    }),
  }),
  defect({
    id: 'run-created-at-http-date',
    breaks: CREATED_AT,
    does: 'createdAt of a run is an HTTP date.',
    sender: editRun((run) => (run['createdAt'] = new Date(String(run['createdAt'])).toUTCString())),
  }),
];

/** Gives a status another name, wherever an event contains it. */
function called(status: string, name: string): Open {
  return editEvent((event) => {
    const members: readonly (readonly [Fields, string])[] = [
      [runIn(event), 'status'],
      [dataIn(event), 'previousStatus'],
      [dataIn(event), 'currentStatus'],
    ];
    for (const [fields, member] of members) if (fields[member] === status) fields[member] = name;
  });
}
