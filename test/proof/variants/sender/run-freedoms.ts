import { variant } from '@hookproof/conformance/proof/kit/defect';
import type { Variant } from '@hookproof/conformance/proof/kit/defect';
import type { Fields } from '@hookproof/conformance/proof/kit/message';
import { dataIn, editEvent, editRun, isTest, runIn } from '@hookproof/conformance/proof/kit/sender';
import type { When } from '@hookproof/conformance/proof/kit/sender';

const OUTPUT = 'webhook-run.output-presence';
const LIMIT = 'delivery.payload-limit';
const COMPLETED_AT = 'webhook-run.completed-at';
const STARTED_AT = 'webhook-run.fields';
const SYNTHETIC = 'webhook-envelope.test.synthetic-run';
const TERMINAL: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled', 'rejected']);
const isOpen: When = (seen) => !TERMINAL.has(seen.run['status']);

/** What the contract leaves open about the run in an event. */
export const runFreedoms: readonly Variant[] = [
  variant({
    id: 'output-only-when-terminal',
    takes: OUTPUT,
    does: 'Only terminal events contain an output.',
    sender: editRun(hideOutput, isOpen),
  }),
  variant({
    id: 'output-never',
    takes: OUTPUT,
    does: 'No event contains an output.',
    sender: editRun(hideOutput),
  }),
  variant({
    id: 'output-only-when-created',
    takes: OUTPUT,
    does: 'Only the events of creations contain an output.',
    sender: editRun(hideOutput, ({ event }) => event['type'] !== 'run.created'),
  }),
  variant({
    id: 'output-null-without-one',
    takes: OUTPUT,
    does: 'A run without an output has output null.',
    sender: editRun((run) => (run['output'] ??= run['outputOmitted'] === true ? undefined : null)),
  }),
  variant({
    id: 'output-null-until-terminal',
    takes: OUTPUT,
    does: 'output is null before the end of a run.',
    sender: editRun((run) => {
      hideOutput(run);
      run['output'] = null;
    }, isOpen),
  }),
  variant({
    id: 'output-always-omitted',
    takes: LIMIT,
    does: 'Every output is omitted.',
    sender: editRun((run) => {
      if (!('output' in run)) return;
      delete run['output'];
      run['outputOmitted'] = true;
    }),
  }),
  variant({
    id: 'output-omitted-above-10-bytes',
    takes: LIMIT,
    does: 'An output of more than 10 bytes is omitted.',
    sender: editRun((run) => {
      if (JSON.stringify(run['output'] ?? '').length <= 10) return;
      delete run['output'];
      run['outputOmitted'] = true;
    }),
  }),
  variant({
    id: 'output-omitted-false',
    takes: LIMIT,
    does: 'outputOmitted is false where no output was removed.',
    sender: editRun((run) => (run['outputOmitted'] ??= false)),
  }),
  variant({
    id: 'completed-at-when-finalizing',
    takes: COMPLETED_AT,
    does: 'completedAt is set in finalizing.',
    sender: editRun(
      (run) => (run['completedAt'] ??= run['startedAt']),
      (seen) => seen.run['status'] === 'finalizing',
    ),
  }),
  variant({
    id: 'completed-at-always',
    takes: COMPLETED_AT,
    does: 'completedAt is always set.',
    sender: editRun((run) => (run['completedAt'] ??= run['createdAt'])),
  }),
  variant({
    id: 'started-at-creation',
    takes: STARTED_AT,
    does: 'startedAt is the time of the creation.',
    sender: editRun((run) => (run['startedAt'] ??= run['createdAt'])),
  }),
  variant({
    id: 'started-at-null',
    takes: STARTED_AT,
    does: 'startedAt is always null.',
    sender: editRun((run) => (run['startedAt'] = null)),
  }),
  variant({
    id: 'started-at-text',
    takes: 'versioning.wire.timestamp-format',
    at: 'run',
    does: 'startedAt and completedAt are HTTP dates.',
    sender: editRun((run) => {
      for (const name of ['startedAt', 'completedAt']) {
        const time = run[name];
        if (typeof time === 'string') run[name] = new Date(time).toUTCString();
      }
    }),
  }),
  variant({
    id: 'created-at-earlier',
    takes: 'webhook-run.created-at',
    does: 'createdAt of a run is earlier than that of its event.',
    sender: editRun((run) => (run['createdAt'] = '2020-01-01T00:00:00Z')),
  }),
  variant({
    id: 'test-event-agent',
    takes: SYNTHETIC,
    does: 'A test event shows the run of an agent.',
    sender: editRun(
      (run) => Object.assign(run, { type: 'agent', automationId: 'agent_sample' }),
      isTest,
    ),
  }),
  variant({
    id: 'test-event-cron',
    takes: SYNTHETIC,
    does: 'A test event shows a run of the trigger cron.',
    sender: editRun((run) => (run['triggerType'] = 'cron'), isTest),
  }),
  variant({
    id: 'test-event-sample-ids',
    takes: SYNTHETIC,
    does: 'A test event shows sample ids.',
    sender: editRun(
      (run) => Object.assign(run, { id: 'exec_sample', automationId: 'wf_sample' }),
      isTest,
    ),
  }),
  variant({
    id: 'test-event-output',
    takes: SYNTHETIC,
    does: 'A test event shows an output.',
    sender: editRun((run) => (run['output'] = { sample: true }), isTest),
  }),
  variant({
    id: 'test-event-completed',
    takes: SYNTHETIC,
    does: 'A test event shows a completed run.',
    sender: editRun((run) => {
      const { createdAt } = run;
      Object.assign(run, { status: 'completed', startedAt: createdAt, completedAt: createdAt });
    }, isTest),
  }),
  variant({
    id: 'test-event-changed',
    takes: SYNTHETIC,
    does: 'A test event reports a status change.',
    sender: editEvent((event) => {
      event['type'] = 'run.status_changed';
      runIn(event)['status'] = 'running';
      Object.assign(dataIn(event), { previousStatus: 'pending', currentStatus: 'running' });
    }, isTest),
  }),
];

function hideOutput(run: Fields): void {
  delete run['output'];
  delete run['outputOmitted'];
}
