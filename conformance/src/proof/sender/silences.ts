import { respond } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import type { Seen, When } from './alter.ts';
import {
  dataIn,
  isAgent,
  isChanged,
  isCreated,
  isReal,
  isTest,
  isWorkflow,
  Watch,
} from './alter.ts';

const CREATED = 'webhook-event.created.sent';
const CHANGED = 'webhook-event.status-changed.sent';
const MOVES: readonly (readonly [string, string])[] = [
  ['pending', 'running'],
  ['pending', 'cancelled'],
  ['pending', 'rejected'],
  ['running', 'waiting'],
  ['running', 'finalizing'],
  ['running', 'failed'],
  ['running', 'cancelled'],
  ['waiting', 'running'],
  ['waiting', 'finalizing'],
  ['waiting', 'failed'],
  ['waiting', 'cancelled'],
  ['finalizing', 'completed'],
  ['finalizing', 'failed'],
  ['finalizing', 'cancelled'],
  ['created', 'pending'],
  ['created', 'cancelled'],
  ['created', 'rejected'],
];
const TRIGGERS = ['api', 'manual', 'email', 'cron'];

/** Events that are never sent. */
export const silenceDefects: readonly Defect[] = [
  silent('creations', 'a creation', CREATED, isCreated),
  silent(
    'creations-of-agents',
    'the creation of an agent run',
    CREATED,
    (seen) => isCreated(seen) && isAgent(seen),
  ),
  silent(
    'creations-of-workflows',
    'the creation of a workflow run',
    CREATED,
    (seen) => isCreated(seen) && isWorkflow(seen),
  ),
  silent('changes', 'a status change', CHANGED, isChanged),
  silent(
    'changes-of-agents',
    'a status change of an agent run',
    CHANGED,
    (seen) => isChanged(seen) && isAgent(seen),
  ),
  silent(
    'changes-of-workflows',
    'a status change of a workflow run',
    CHANGED,
    (seen) => isChanged(seen) && isWorkflow(seen),
  ),
  silent('agents', 'a run of an agent', CREATED, isAgent),
  silent('test-events', 'the Send test action', 'webhook-event.test.sent', isTest),
  silent(
    'second-attempts',
    'a second attempt',
    'delivery.at-least-once',
    ({ attempt, isRedelivery }) => attempt === 2 && !isRedelivery,
  ),
  silent(
    'redeliveries',
    'a redelivery',
    'delivery.redelivery.sent',
    ({ isRedelivery }) => isRedelivery,
  ),
  ...TRIGGERS.flatMap((trigger) => [
    silent(
      `creations-by-${trigger}`,
      `the creation of a run of trigger ${trigger}`,
      CREATED,
      (seen) => isCreated(seen) && seen.run['triggerType'] === trigger,
    ),
    silent(
      `changes-by-${trigger}`,
      `a status change of a run of trigger ${trigger}`,
      CHANGED,
      (seen) => isChanged(seen) && seen.run['triggerType'] === trigger,
    ),
  ]),
  ...MOVES.map(([from, to]) =>
    silent(`change-${from}-${to}`, `the change from ${from} to ${to}`, CHANGED, (seen) =>
      isMove(seen, from, to),
    ),
  ),
  ...['running', 'finalizing', 'completed', 'failed', 'cancelled', 'rejected'].map((status) =>
    silent(
      `agents-when-${status}`,
      `the change of an agent run to ${status}`,
      CHANGED,
      (seen) => isChanged(seen) && isAgent(seen) && seen.run['status'] === status,
    ),
  ),
  ...['completed', 'failed', 'cancelled', 'rejected'].map((status) =>
    silent(
      `when-${status}`,
      `the change of a run to ${status}`,
      CHANGED,
      (seen) => isChanged(seen) && seen.run['status'] === status,
    ),
  ),
  silent(
    'with-output',
    'a run with an output',
    CREATED,
    (seen) => isReal(seen) && 'output' in seen.run,
  ),
];

function isMove({ event }: Seen, from: string, to: string): boolean {
  const { previousStatus, currentStatus } = dataIn({ ...event });
  return previousStatus === from && currentStatus === to;
}

/** The target takes the delivery for accepted. */
function silent(name: string, what: string, breaks: string, when: When): Defect {
  return {
    id: `silent-${name}`,
    side: 'sender',
    does: `Sends nothing for ${what}.`,
    breaks,
    open: (knowledge) => {
      const watch = new Watch(knowledge);
      return {
        control: watch.control,
        delivery: async (request, next) =>
          when(await watch.seeAsked(request)) ? respond(204) : next(request),
      };
    },
  };
}
