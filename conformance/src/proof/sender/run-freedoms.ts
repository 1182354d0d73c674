import type { Fields } from '../kit/message.ts';
import type { Variant } from '../kit/defect.ts';
import type { When } from './alter.ts';
import { dataIn, editing, editingRun, isTest, runIn, variant } from './alter.ts';

const OUTPUT = 'webhook-run.output-presence';
const LIMIT = 'delivery.payload-limit';
const TERMINAL: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled', 'rejected']);
const isOpen: When = (seen) => !TERMINAL.has(seen.run['status']);

/** What the contract leaves open about the run in an event. */
export const runFreedoms: readonly Variant[] = [
  run('output-only-when-terminal', 'Only terminal events contain an output.', OUTPUT, hide, isOpen),
  run('output-never', 'No event contains an output.', OUTPUT, hide),
  run(
    'output-only-when-created',
    'Only the events of creations contain an output.',
    OUTPUT,
    hide,
    ({ event }) => event['type'] !== 'run.created',
  ),
  run(
    'output-null-without-one',
    'A run without an output has output null.',
    OUTPUT,
    (fields) => (fields['output'] ??= fields['outputOmitted'] === true ? undefined : null),
  ),
  run(
    'output-null-until-terminal',
    'output is null before the end of a run.',
    OUTPUT,
    (fields) => {
      hide(fields);
      fields['output'] = null;
    },
    isOpen,
  ),
  run('output-always-omitted', 'Every output is omitted.', LIMIT, (fields) => {
    if (!('output' in fields)) return;
    delete fields['output'];
    fields['outputOmitted'] = true;
  }),
  run(
    'output-omitted-above-10-bytes',
    'An output of more than 10 bytes is omitted.',
    LIMIT,
    (fields) => {
      if (JSON.stringify(fields['output'] ?? '').length <= 10) return;
      delete fields['output'];
      fields['outputOmitted'] = true;
    },
  ),
  run(
    'output-omitted-false',
    'outputOmitted is false where no output was removed.',
    LIMIT,
    (fields) => (fields['outputOmitted'] ??= false),
  ),
  run(
    'completed-at-when-finalizing',
    'completedAt is set in finalizing.',
    'webhook-run.completed-at',
    (fields) => (fields['completedAt'] ??= fields['startedAt']),
    (seen) => seen.run['status'] === 'finalizing',
  ),
  run(
    'completed-at-always',
    'completedAt is always set.',
    'webhook-run.completed-at',
    (fields) => (fields['completedAt'] ??= fields['createdAt']),
  ),
  run(
    'started-at-creation',
    'startedAt is the time of the creation.',
    'webhook-run.started-at',
    (fields) => (fields['startedAt'] ??= fields['createdAt']),
  ),
  run(
    'started-at-null',
    'startedAt is always null.',
    'webhook-run.started-at',
    (fields) => (fields['startedAt'] = null),
  ),
  run(
    'started-at-text',
    'startedAt and completedAt are texts of another form.',
    'versioning.wire.timestamp-format',
    (fields) => {
      for (const name of ['startedAt', 'completedAt']) {
        const time = fields[name];
        if (typeof time === 'string') fields[name] = new Date(time).toUTCString();
      }
    },
  ),
  run(
    'created-at-earlier',
    'createdAt of a run is earlier than that of its event.',
    'webhook-run.created-at',
    (fields) => (fields['createdAt'] = '2020-01-01T00:00:00Z'),
  ),
  test('agent', 'A test event shows the run of an agent.', (_event, fields) =>
    Object.assign(fields, { type: 'agent', automationId: 'agent_sample' }),
  ),
  test(
    'cron',
    'A test event shows a run of the trigger cron.',
    (_event, fields) => (fields['triggerType'] = 'cron'),
  ),
  test('sample-ids', 'A test event shows sample ids.', (_event, fields) =>
    Object.assign(fields, { id: 'exec_sample', automationId: 'wf_sample' }),
  ),
  test(
    'output',
    'A test event shows an output.',
    (_event, fields) => (fields['output'] = { sample: true }),
  ),
  test('completed', 'A test event shows a completed run.', (_event, fields) =>
    Object.assign(fields, {
      status: 'completed',
      startedAt: fields['createdAt'],
      completedAt: fields['createdAt'],
    }),
  ),
  test('changed', 'A test event reports a change.', (event, fields) => {
    event['type'] = 'run.status_changed';
    fields['status'] = 'running';
    Object.assign(dataIn(event), { previousStatus: 'pending', currentStatus: 'running' });
  }),
];

function hide(fields: Fields): void {
  delete fields['output'];
  delete fields['outputOmitted'];
}

function run(
  id: string,
  does: string,
  takes: string,
  edit: (fields: Fields) => unknown,
  when?: When,
): Variant {
  return variant(id, does, takes, editingRun(edit, when));
}

function test(id: string, does: string, edit: (event: Fields, run: Fields) => unknown): Variant {
  return variant(
    `test-event-${id}`,
    does,
    'webhook-envelope.test.synthetic-run',
    editing((event) => edit(event, runIn(event)), isTest),
  );
}
