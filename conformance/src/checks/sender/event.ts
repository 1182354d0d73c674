import type { RunStatus } from '@hookproof/spec';

import type { Check } from '../../check-kit/check.ts';
import type { ControlledRun } from '../../clients/control-client.ts';
import { Violation } from '../../verdict/findings.ts';
import type { ReceivedDelivery } from '../../listener/delivery.ts';
import { expectOf, sender } from './sender-check.ts';
import type { JudgedCheck } from './sender-check.ts';
import { automationOf, dataOf, withRig, runOf } from './rig.ts';
import type { SenderRig } from './rig.ts';

const MOVES: readonly RunStatus[] = ['running', 'waiting', 'running', 'finalizing', 'completed'];

/** The events of a run, and what they say about it. */
export const senderEventChecks: readonly Check[] = [
  sender.check({
    name: 'run-created.sent',
    requirements: [
      'webhook-event.created.sent',
      'webhook-event.emitted-for-run-lifecycle',
      'states.run.creation-emits-event',
    ],
    title: 'sends run.created for a new workflow run',
    run: (context) =>
      withRig(context, async (rig) => {
        const run = await rig.createRun();
        await rig.demand(`run.created of ${run.id}`, () => created(rig, run).length > 0);
      }),
  }),
  sender.check({
    name: 'run-created.agent-run',
    requirements: ['webhook-event.created.sent'],
    title: 'sends run.created for a new agent run',
    run: (context) =>
      withRig(context, async (rig) => {
        const run = await rig.createRun({ automationId: automationOf(rig.world, 'agentId') });
        await rig.demand(`run.created of ${run.id}`, () => created(rig, run).length > 0);
      }),
  }),
  sender.check({
    name: 'run-created.initial-snapshot',
    requirements: ['webhook-event.created.initial-snapshot'],
    title: 'run.created shows the initial run, also after its status has changed',
    run: (context) =>
      withRig(
        context,
        async (rig) => {
          const run = await rig.createRun();
          await rig.until(`run.created of ${run.id}`, () => created(rig, run).length > 0);
          await rig.move(run, 'running', 'finalizing', 'completed');
          await rig.until(`second attempt of run.created`, () => created(rig, run).length > 1);
          for (const delivery of created(rig, run)) {
            const { status } = runOf(delivery.event);
            expectOf(rig, delivery, status === run.status, `status ${run.status}`, status);
          }
        },
        // The second attempt follows the status change.
        {
          script: ({ event }, attempt) => ({
            status: isCreated(event) && attempt === 1 ? 503 : 204,
          }),
        },
      ),
  }),
  sender.check({
    name: 'run-created.no-previous-or-current',
    requirements: ['webhook-event.created.no-previous-or-current'],
    title: 'run.created has neither previousStatus nor currentStatus',
    run: (context) =>
      withRig(context, async (rig) => {
        const run = await rig.createRun();
        await rig.until(`run.created of ${run.id}`, () => created(rig, run).length > 0);
        for (const delivery of created(rig, run)) {
          const data = dataOf(delivery.event);
          const none = !('previousStatus' in data) && !('currentStatus' in data);
          expectOf(
            rig,
            delivery,
            none,
            'neither previousStatus nor currentStatus',
            Object.keys(data),
          );
        }
      }),
  }),
  sender.check({
    name: 'status-changed.sent',
    requirements: ['webhook-event.status-changed.sent', 'webhook-event.emitted-for-run-lifecycle'],
    title: 'sends run.status_changed for a status change',
    run: (context) =>
      withRig(context, async (rig) => {
        const run = await rig.createRun();
        await rig.move(run, 'running');
        await rig.demand(`run.status_changed of ${run.id}`, () => changes(rig, run).length > 0);
      }),
  }),
  changeCheck({
    name: 'status-changed.previous-and-current',
    requirements: ['webhook-event.status-changed.previous-and-current'],
    title: 'run.status_changed has previousStatus and currentStatus, both strings',
    judge(rig, delivery) {
      const { previousStatus, currentStatus } = dataOf(delivery.event);
      const strings = typeof previousStatus === 'string' && typeof currentStatus === 'string';
      expectOf(rig, delivery, strings, 'two strings', { previousStatus, currentStatus });
    },
  }),
  changeCheck({
    name: 'status-changed.current-equals-run',
    requirements: ['webhook-event.status-changed.current-equals-run'],
    title: 'currentStatus equals the status of the run in the event',
    judge(rig, delivery) {
      const { currentStatus } = dataOf(delivery.event);
      const { status } = runOf(delivery.event);
      expectOf(rig, delivery, currentStatus === status, String(status), currentStatus);
    },
  }),
  sender.check({
    name: 'status-changed.every-move',
    requirements: ['webhook-event.status-changed.sent', 'states.run.move-emits-event'],
    title: 'sends one event for every status change',
    run: (context) =>
      withRig(context, async (rig) => {
        const run = await rig.createRun();
        await rig.move(run, ...MOVES);
        const goals = (): string =>
          moves(rig, run)
            .map(({ to }) => to)
            .toSorted()
            .join();
        const wanted = MOVES.toSorted().join();
        await rig.demand(`events of the moves to ${MOVES.join(', ')}`, () => goals() === wanted);
      }),
  }),
  sender.check({
    name: 'status-changed.chain',
    requirements: ['webhook-event.status-changed.chain'],
    title: 'the status changes of a run form one chain from its first status to its last',
    run: (context) =>
      withRig(context, async (rig) => {
        const run = await rig.createRun();
        await rig.move(run, 'running', 'finalizing', 'completed');
        await rig.until(`all events of ${run.id}`, () => moves(rig, run).length > 2);
        const found = moves(rig, run);
        if (!isChain(run.status, found)) {
          throw new Violation({
            expected: `a chain of all moves that begins at ${run.status}`,
            actual: found.map(({ from, to }) => `${from} → ${to}`).join(', '),
          });
        }
      }),
  }),
];

/** Judges the events of one move. */
function changeCheck({
  judge,
  ...own
}: JudgedCheck<(rig: SenderRig, delivery: ReceivedDelivery) => void>): Check {
  return sender.check({
    ...own,
    run: (context) =>
      withRig(context, async (rig) => {
        const run = await rig.createRun();
        await rig.move(run, 'running');
        await rig.until(`run.status_changed of ${run.id}`, () => changes(rig, run).length > 0);
        for (const delivery of changes(rig, run)) judge(rig, delivery);
      }),
  });
}

/** Arrivals of the run.created of a run. */
function created(rig: SenderRig, run: ControlledRun): readonly ReceivedDelivery[] {
  return rig.about(run).filter(({ event }) => isCreated(event));
}

function isCreated(event: Readonly<Record<string, unknown>>): boolean {
  return event['type'] === 'run.created';
}

/** The first arrival of each run.status_changed. */
function changes(rig: SenderRig, run: ControlledRun): readonly ReceivedDelivery[] {
  const all = rig.about(run).filter(({ event }) => event['type'] === 'run.status_changed');
  return all.filter(
    ({ event }, index) => all.findIndex((other) => other.event['id'] === event['id']) === index,
  );
}

function moves(
  rig: SenderRig,
  run: ControlledRun,
): readonly { readonly from: string; readonly to: string }[] {
  return changes(rig, run).map(({ event }) => {
    const { previousStatus, currentStatus } = dataOf(event);
    return { from: String(previousStatus), to: String(currentStatus) };
  });
}

/** Whether each move is used once on the way from the first status. No status comes twice on this way. */
function isChain(first: string, found: ReturnType<typeof moves>): boolean {
  const left = new Set(found);
  let status = first;
  for (let step = 0; step < found.length; step += 1) {
    const next = [...left].find(({ from }) => from === status);
    if (next === undefined) return false;
    left.delete(next);
    status = next.to;
  }
  return true;
}
