import { defect } from '../kit/defect.ts';
import type { Defect } from '../kit/defect.ts';
import { refuses } from '../kit/receiver.ts';

const STATUS = 'receiver.event.every-status';
const OUTPUT = 'receiver.event.output';
const MEMBERS = 'receiver.event.unknown-members';

const EVENT_MEMBERS = new Set(['id', 'type', 'apiVersion', 'createdAt', 'test', 'data']);
const RUN_MEMBERS = 'id automationId type status triggerType createdAt startedAt completedAt';
const KNOWN_RUN_MEMBERS = new Set([...RUN_MEMBERS.split(' '), 'output', 'outputOmitted']);
const KIB = 1_024;

/** Receivers that refuse valid events of a kind. */
export const eventDefects: readonly Defect[] = [
  defect({
    id: 'status-waiting-refused',
    breaks: STATUS,
    does: 'Refuses events of runs that are waiting.',
    receiver: refuses(
      ({ run, previousStatus }) => run['status'] === 'waiting' && previousStatus !== undefined,
    ),
  }),
  defect({
    id: 'agent-runs-refused',
    breaks: STATUS,
    does: 'Refuses events of agent runs.',
    receiver: refuses(({ run }) => run['type'] === 'agent'),
  }),
  defect({
    id: 'creation-in-created-refused',
    breaks: STATUS,
    does: 'Refuses run.created of a run that is not pending.',
    receiver: refuses(
      ({ run, previousStatus }) => previousStatus === undefined && run['status'] !== 'pending',
    ),
  }),
  defect({
    id: 'second-start-refused',
    breaks: STATUS,
    does: 'Refuses the transition from waiting to running.',
    receiver: refuses(
      ({ run, previousStatus }) => previousStatus === 'waiting' && run['status'] === 'running',
    ),
  }),
  defect({
    id: 'test-of-a-change-refused',
    breaks: 'receiver.test-event.acknowledged',
    does: 'Refuses test events of the type run.status_changed.',
    receiver: refuses(({ test, previousStatus }) => test && previousStatus !== undefined),
  }),
  defect({
    id: 'output-null-refused',
    breaks: OUTPUT,
    does: 'Refuses an output that is null.',
    receiver: refuses(({ run }) => 'output' in run && run['output'] === null),
  }),
  defect({
    id: 'output-scalar-refused',
    breaks: OUTPUT,
    does: 'Refuses an output that is a string, a number or a boolean.',
    receiver: refuses(({ run }) => ['string', 'number', 'boolean'].includes(typeof run['output'])),
  }),
  defect({
    id: 'output-empty-refused',
    breaks: OUTPUT,
    does: 'Refuses an empty output.',
    receiver: refuses(({ run: { output } }) => output === '' || JSON.stringify(output) === '{}'),
  }),
  defect({
    id: 'omitted-output-refused',
    breaks: OUTPUT,
    does: 'Refuses an event whose output was omitted.',
    receiver: refuses(({ run }) => run['outputOmitted'] === true),
  }),
  defect({
    id: 'non-ascii-refused',
    breaks: OUTPUT,
    does: 'Responds 500 to a body with non-ASCII characters.',
    receiver: refuses((_event, { body }) => (body ?? []).some((octet) => octet > 127), 500),
  }),
  defect({
    id: 'event-above-16-kib-fails',
    breaks: OUTPUT,
    does: 'Responds 500 to a body above 16 KiB.',
    receiver: refuses((_event, { body }) => (body?.byteLength ?? 0) > 16 * KIB, 500),
  }),
  defect({
    id: 'event-above-100-kib-fails',
    breaks: 'receiver.event.large',
    does: 'Responds 500 to a body above 100 KiB.',
    receiver: refuses((_event, { body }) => (body?.byteLength ?? 0) > 100 * KIB, 500),
  }),
  defect({
    id: 'trigger-cron-refused',
    breaks: 'receiver.valid.acknowledged',
    does: 'Refuses runs with the trigger cron.',
    receiver: refuses(({ run }) => run['triggerType'] === 'cron'),
  }),
  defect({
    id: 'unknown-members-refused',
    breaks: MEMBERS,
    does: 'Refuses an event with a member that it does not know.',
    receiver: refuses(({ members }) => members.some((name) => !EVENT_MEMBERS.has(name))),
  }),
  defect({
    id: 'unknown-run-members-refused',
    breaks: MEMBERS,
    does: 'Refuses a run with a member that it does not know.',
    receiver: refuses(({ run }) => Object.keys(run).some((name) => !KNOWN_RUN_MEMBERS.has(name))),
  }),
  defect({
    id: 'custom-headers-refused',
    breaks: 'receiver.custom-headers',
    does: 'Responds 431 to a delivery with headers that the contract does not name.',
    receiver: refuses(
      (_event, { headers }) => headers.some(([name]) => name.startsWith('x-')),
      431,
    ),
  }),
];
