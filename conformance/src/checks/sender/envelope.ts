import { API_VERSION, EVENT_ID_PREFIX, RUN_STATUSES, TERMINAL_RUN_STATUSES } from '@hookproof/spec';

import type { Check } from '../../check-kit/check.ts';
import type { ReceivedDelivery } from '../../listener/delivery.ts';
import { partSchema, schemaFaults } from '../../check-kit/schema.ts';
import { deliveryCheck, expectOf, sender } from './sender-check.ts';
import type { JudgedCheck } from './sender-check.ts';
import { automationOf, withRig, runOf } from './rig.ts';
import type { SenderRig } from './rig.ts';

/** ISO 8601 in extended format, with or without fractions and offset. */
const ISO_8601 =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?$/;

const envelopeFaults = partSchema({
  type: 'object',
  required: ['id', 'type', 'apiVersion', 'createdAt', 'test', 'data'],
  properties: {
    id: { type: 'string' },
    type: { enum: ['run.created', 'run.status_changed'] },
    apiVersion: { type: 'string' },
    createdAt: { type: 'string' },
    test: { type: 'boolean' },
    data: { type: 'object', required: ['run'], properties: { run: { type: 'object' } } },
  },
});

/** The envelope of an event, and its run. */
export const senderEnvelopeChecks: readonly Check[] = [
  deliveryCheck({
    name: 'envelope.schema',
    requirements: [
      'webhook-envelope.fields',
      'webhook-envelope.json',
      'webhook-envelope.type-values',
    ],
    title: 'an event has the documented members and types',
    judge(delivery, rig) {
      const found = envelopeFaults(delivery.event);
      expectOf(rig, delivery, found === null, 'the documented members of an event', found);
    },
  }),
  deliveryCheck({
    name: 'envelope.id-prefix',
    requirements: ['webhook-envelope.id.prefix'],
    title: 'the id of an event starts with whev_',
    judge({ event, ...delivery }, rig) {
      const id = String(event['id']);
      expectOf(
        rig,
        { event, ...delivery },
        id.startsWith(EVENT_ID_PREFIX),
        'an id that starts with whev_',
        id,
      );
    },
  }),
  deliveryCheck({
    name: 'envelope.created-at',
    requirements: ['webhook-envelope.created-at'],
    title: 'createdAt of an event is an ISO 8601 time',
    judge: (delivery, rig) => expectTime(rig, delivery, delivery.event['createdAt']),
  }),
  deliveryCheck({
    name: 'envelope.api-version',
    requirements: ['versioning.webhook.api-version'],
    title: `apiVersion of an event is ${API_VERSION}`,
    judge(delivery, rig) {
      const version = delivery.event['apiVersion'];
      expectOf(rig, delivery, version === API_VERSION, API_VERSION, version);
    },
  }),
  deliveryCheck({
    name: 'envelope.test-false',
    requirements: ['webhook-envelope.test.false-for-real-runs'],
    title: 'test is false in the events of a real run',
    judge(delivery, rig) {
      const { test } = delivery.event;
      expectOf(rig, delivery, test === false, 'false', test);
    },
  }),
  sender.check({
    name: 'envelope.id-unique',
    requirements: ['webhook-envelope.id.idempotency-key'],
    title: 'no two events share an id',
    run: (context) =>
      withRig(context, async (rig) => {
        const run = await rig.createRun();
        await rig.move(run, 'running', 'finalizing');
        await rig.until(`three events of run ${run.id}`, () => rig.about(run).length > 2);
        const seen = new Map<unknown, string>();
        for (const delivery of rig.about(run)) {
          const text = delivery.body.toString('utf8');
          const before = seen.get(delivery.event['id']) ?? text;
          expectOf(rig, delivery, before === text, 'a unique id', delivery.event['id']);
          seen.set(delivery.event['id'], text);
        }
      }),
  }),
  deliveryCheck({
    name: 'run.schema',
    requirements: [
      'webhook-run.fields',
      'webhook-run.type-values',
      'webhook-run.trigger-type',
      'webhook-run.started-at',
      'webhook-run.completed-at',
    ],
    title: 'the run in an event has the documented members and types',
    judge(delivery, rig) {
      const found = schemaFaults('RunSnapshot', { ...runOf(delivery.event), ...JUDGED_ELSEWHERE });
      expectOf(rig, delivery, found === null, 'the documented members of a run', found);
    },
  }),
  sender.check({
    name: 'run.automation-id-prefix',
    requirements: ['webhook-run.automation-id'],
    title: 'automationId starts with wf_ for a workflow and agent_ for an agent',
    run: (context) =>
      withRig(context, async (rig) => {
        const workflow = await rig.createRun();
        const agent = await rig.createRun({ automationId: automationOf(rig.world, 'agentId') });
        for (const [run, prefix] of [
          [workflow, 'wf_'],
          [agent, 'agent_'],
        ] as const) {
          await rig.until(`run.created of ${run.id}`, () => rig.about(run).length > 0);
          for (const delivery of rig.about(run)) {
            const id = String(runOf(delivery.event)['automationId']);
            expectOf(rig, delivery, id.startsWith(prefix), `an id that starts with ${prefix}`, id);
          }
        }
      }),
  }),
  deliveryCheck({
    name: 'run.created-at',
    requirements: ['webhook-run.created-at'],
    title: 'createdAt of a run is an ISO 8601 time',
    judge: (delivery, rig) => expectTime(rig, delivery, runOf(delivery.event)['createdAt']),
  }),
  wholeRunCheck({
    name: 'run.status-values',
    requirements: [
      'webhook-run.status-values',
      'states.run.values',
      'states.run.queued-is-no-status',
    ],
    title: 'the status of a run is one of the nine documented ones',
    judge(delivery, rig) {
      const { status } = runOf(delivery.event);
      const known = RUN_STATUSES.some((one) => one === status);
      expectOf(rig, delivery, known, RUN_STATUSES.join(', '), status);
    },
  }),
  wholeRunCheck({
    name: 'run.completed-at',
    requirements: ['webhook-run.completed-at'],
    title: 'completedAt is set exactly in the terminal statuses',
    judge(delivery, rig) {
      const { status, completedAt } = runOf(delivery.event);
      const terminal = TERMINAL_RUN_STATUSES.some((one) => one === status);
      const right = terminal ? typeof completedAt === 'string' : completedAt === null;
      const expected = `completedAt ${terminal ? 'set' : 'null'} in ${String(status)}`;
      expectOf(rig, delivery, right, expected, completedAt);
    },
  }),
  sender.check({
    name: 'run.output-omitted',
    requirements: ['webhook-run.output-omitted'],
    title: 'an event contains a large output or has outputOmitted true',
    run: (context) =>
      withRig(context, async (rig) => {
        const output = { text: 'x'.repeat(400_000) };
        const run = await rig.createRun({ output });
        await rig.until(`run.created of ${run.id}`, () => rig.about(run).length > 0);
        for (const delivery of rig.about(run)) {
          const snapshot = runOf(delivery.event);
          const { outputOmitted } = snapshot;
          const omitted = outputOmitted === true;
          const boolean = outputOmitted === undefined || typeof outputOmitted === 'boolean';
          const right = boolean && omitted !== 'output' in snapshot;
          expectOf(rig, delivery, right, 'output, or outputOmitted true', { outputOmitted });
        }
      }),
  }),
];

/** Valid values of the members that other checks judge. */
const JUDGED_ELSEWHERE = { automationId: 'wf_', status: 'pending' };

function wholeRunCheck({
  judge,
  ...own
}: JudgedCheck<(delivery: ReceivedDelivery, rig: SenderRig) => void>): Check {
  return sender.check({
    ...own,
    run: (context) =>
      withRig(context, async (rig) => {
        const completed = await rig.createRun();
        await rig.move(completed, 'running', 'waiting', 'running', 'finalizing', 'completed');
        const cancelled = await rig.createRun();
        await rig.move(cancelled, 'cancelled');
        await rig.until(
          `events of runs ${completed.id} and ${cancelled.id}`,
          () => rig.about(completed).length > 5 && rig.about(cancelled).length > 1,
        );
        for (const delivery of rig.listener.deliveries) judge(delivery, rig);
      }),
  });
}

function expectTime(rig: SenderRig, delivery: ReceivedDelivery, value: unknown): void {
  const fits = typeof value === 'string' && ISO_8601.test(value);
  expectOf(rig, delivery, fits, 'an ISO 8601 time', value);
}
