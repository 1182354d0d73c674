import { RUN_STATUSES } from '@hookproof/spec';

import type { Defect } from '../transformation.ts';
import { refusing } from './refusing.ts';
import type { Refusal } from './refusing.ts';

const EVENT_MEMBERS = new Set(['id', 'type', 'apiVersion', 'createdAt', 'test', 'data']);
const RUN_MEMBERS = 'id automationId type status triggerType createdAt startedAt completedAt';
const KNOWN_RUN_MEMBERS = new Set([...RUN_MEMBERS.split(' '), 'output', 'outputOmitted']);
const KIB = 1_024;

const statuses: readonly Refusal[] = [
  ...RUN_STATUSES.filter((status) => status !== 'created').map((status) => ({
    id: `status-${status}-refused`,
    does: `Refuses events of runs that are ${status}.`,
    breaks: 'receiver.event.every-status',
    refuses: ({ run, previousStatus }: Parameters<Refusal['refuses']>[0]) =>
      run['status'] === status && previousStatus !== undefined,
  })),
  {
    id: 'agent-runs-refused',
    does: 'Refuses events of agent runs.',
    breaks: 'receiver.event.every-status',
    refuses: ({ run }) => run['type'] === 'agent',
  },
  {
    id: 'agent-ids-refused',
    does: 'Responds 500 to an automation id that starts with agent_.',
    breaks: 'receiver.event.every-status',
    refuses: ({ run }) => String(run['automationId']).startsWith('agent_'),
    status: 500,
  },
  {
    id: 'creation-in-created-refused',
    does: 'Refuses run.created of a run that is not pending.',
    breaks: 'receiver.event.every-status',
    refuses: ({ run, previousStatus }) =>
      previousStatus === undefined && run['status'] !== 'pending',
  },
  {
    id: 'move-back-refused',
    does: 'Refuses a move from running to pending.',
    breaks: 'receiver.event.every-status',
    refuses: ({ run, previousStatus }) =>
      previousStatus === 'running' && run['status'] === 'pending',
  },
  {
    id: 'second-start-refused',
    does: 'Refuses a move from waiting to running.',
    breaks: 'receiver.event.every-status',
    refuses: ({ run, previousStatus }) =>
      previousStatus === 'waiting' && run['status'] === 'running',
  },
  {
    id: 'test-of-a-move-refused',
    does: 'Refuses test events of the type run.status_changed.',
    breaks: 'receiver.test-event.acknowledged',
    refuses: ({ test, previousStatus }) => test && previousStatus !== undefined,
  },
];

const forms: readonly Refusal[] = [
  ...Object.entries({
    null: (output: unknown) => output === null,
    text: (output: unknown) => typeof output === 'string',
    number: (output: unknown) => typeof output === 'number',
    boolean: (output: unknown) => typeof output === 'boolean',
    array: (output: unknown) => Array.isArray(output),
    empty: (output: unknown) => output === '' || JSON.stringify(output) === '{}',
  }).map(([kind, matches]) => ({
    id: `output-${kind}-refused`,
    does: `Refuses an output of this kind: ${kind}.`,
    breaks: 'receiver.event.output',
    refuses: ({ run }: Parameters<Refusal['refuses']>[0]) =>
      'output' in run && matches(run['output']),
  })),
  {
    id: 'omitted-output-refused',
    does: 'Refuses an event whose output was omitted.',
    breaks: 'receiver.event.output',
    refuses: ({ run }) => run['outputOmitted'] === true,
  },
  {
    id: 'missing-output-refused',
    does: 'Refuses the end of a run without an output.',
    breaks: 'receiver.event.output',
    refuses: ({ run }) => run['status'] === 'completed' && !('output' in run),
    status: 422,
  },
  {
    id: 'non-ascii-refused',
    does: 'Responds 500 to a body with characters beyond ASCII.',
    breaks: 'receiver.event.output',
    refuses: (_event, { body }) => (body ?? []).some((octet) => octet > 127),
    status: 500,
  },
  {
    id: 'event-above-16-kib-refused',
    does: 'Refuses a body above 16 KiB.',
    breaks: 'receiver.event.output',
    refuses: (_event, { body }) => (body?.byteLength ?? 0) > 16 * KIB,
    status: 413,
  },
  {
    id: 'event-above-100-kib-fails',
    does: 'Responds 500 to a body above 100 KiB.',
    breaks: 'receiver.event.large',
    refuses: (_event, { body }) => (body?.byteLength ?? 0) > 100 * KIB,
    status: 500,
  },
  ...['manual', 'email', 'cron'].map((trigger) => ({
    id: `trigger-${trigger}-refused`,
    does: `Refuses runs with the trigger ${trigger}.`,
    breaks: 'receiver.valid.acknowledged',
    refuses: ({ run }: Parameters<Refusal['refuses']>[0]) => run['triggerType'] === trigger,
  })),
  {
    id: 'unknown-members-refused',
    does: 'Refuses an event with a member that it does not know.',
    breaks: 'receiver.event.unknown-members',
    refuses: ({ members }) => members.some((name) => !EVENT_MEMBERS.has(name)),
  },
  {
    id: 'unknown-run-members-refused',
    does: 'Refuses a run with a member that it does not know.',
    breaks: 'receiver.event.unknown-members',
    refuses: ({ run }) => Object.keys(run).some((name) => !KNOWN_RUN_MEMBERS.has(name)),
  },
  {
    id: 'custom-headers-refused',
    does: 'Refuses a delivery with headers that the contract does not name.',
    breaks: 'receiver.custom-headers',
    refuses: (_event, { headers }) => headers.some(([name]) => name.startsWith('x-')),
    status: 431,
  },
];

/** Receivers that refuse valid events of a kind. */
export const eventDefects: readonly Defect[] = [...statuses, ...forms].map(refusing);
