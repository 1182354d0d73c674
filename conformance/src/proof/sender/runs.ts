import type { Fields } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import { dataIn, defect, editing, isAgent } from './alter.ts';
import { changed } from './changed-run.ts';

const FIELDS = 'webhook-run.fields';
const REQUIRED = [
  'id',
  'automationId',
  'type',
  'status',
  'triggerType',
  'createdAt',
  'startedAt',
  'completedAt',
];
const NULLABLE: ReadonlySet<string> = new Set(['startedAt', 'completedAt']);
const TERMINAL = ['completed', 'failed', 'cancelled', 'rejected'];

/** Runs with other members in events. */
export const runDefects: readonly Defect[] = [
  ...REQUIRED.flatMap((name) => [
    changed(`${name}-missing`, `has no ${name}`, FIELDS, (run) => delete run[name]),
    changed(`${name}-number`, `has a number as ${name}`, FIELDS, (run) => (run[name] = 7)),
    changed(
      `${name}-object`,
      `has an object as ${name}`,
      FIELDS,
      (run) => (run[name] = { value: run[name] }),
    ),
  ]),
  ...REQUIRED.filter((name) => !NULLABLE.has(name)).map((name) =>
    changed(`${name}-null`, `has ${name} null`, FIELDS, (run) => (run[name] = null)),
  ),
  ...statuses(),
  ...TERMINAL.flatMap((status) => [
    changed(
      `completed-at-null-when-${status}`,
      `has completedAt null when ${status}`,
      'webhook-run.completed-at',
      (run) => (run['completedAt'] = null),
      ({ run }) => run['status'] === status,
    ),
    changed(
      `completed-at-missing-when-agent-${status}`,
      `of an agent has no completedAt when ${status}`,
      'webhook-run.completed-at',
      (run) => delete run['completedAt'],
      (seen) => isAgent(seen) && seen.run['status'] === status,
    ),
  ]),
  changed(
    'created-at-http-date',
    'has an HTTP date as createdAt',
    'webhook-run.created-at',
    (run) => (run['createdAt'] = new Date(String(run['createdAt'])).toUTCString()),
  ),
  changed(
    'created-at-epoch',
    'has a number of milliseconds in a text as createdAt',
    'webhook-run.created-at',
    (run) => (run['createdAt'] = String(Date.parse(String(run['createdAt'])))),
  ),
  changed(
    'created-at-empty',
    'has an empty createdAt',
    'webhook-run.created-at',
    (run) => (run['createdAt'] = ''),
  ),
];

function statuses(): Defect[] {
  const others: Readonly<Record<string, string>> = {
    pending: 'queued',
    running: 'in_progress',
    waiting: 'paused',
    finalizing: 'saving',
    completed: 'succeeded',
    failed: 'error',
    cancelled: 'canceled',
    rejected: 'refused',
    created: 'new',
  };
  return Object.entries(others).map(([status, other]) =>
    defect(
      `run-status-${other}`,
      `The status ${status} is called ${other}.`,
      status === 'pending' ? 'states.run.queued-is-no-status' : 'webhook-run.status-values',
      editing((event) => {
        const data = dataIn(event);
        const run: Fields = Object(data['run']);
        for (const [fields, name] of [
          [run, 'status'],
          [data, 'previousStatus'],
          [data, 'currentStatus'],
        ] as const) {
          if (fields[name] === status) fields[name] = other;
        }
      }),
    ),
  );
}
