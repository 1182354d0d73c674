import { API_VERSION, EVENT_ID_PREFIX, RUN_STATUSES, TERMINAL_RUN_STATUSES } from '@hookproof/spec';

import type { Check, Requirements } from '../../check.ts';
import type { ReceivedDelivery } from '../../listener/delivery.ts';
import { partSchema, schemaFaults } from '../schema.ts';
import { deliveryCheck, expectOf, senderCheck } from './sender-check.ts';
import { automationOf, onStage, runOf } from './stage.ts';
import type { SenderStage } from './stage.ts';

/** ISO 8601 in its extended form, with or without fractions and offset. */
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

/** The envelope of an event and the run in it. */
export const senderEnvelopeChecks: readonly Check[] = [
  deliveryCheck(
    'envelope.schema',
    ['webhook-envelope.fields', 'webhook-envelope.json', 'webhook-envelope.type-values'],
    'an event has the documented members and types',
    (delivery, stage) => {
      const found = envelopeFaults(delivery.event);
      expectOf(stage, delivery, found === null, 'the members of an event', found);
    },
  ),
  deliveryCheck(
    'envelope.id-prefix',
    ['webhook-envelope.id.prefix'],
    'the id of an event starts with whev_',
    ({ event, ...delivery }, stage) => {
      const id = String(event['id']);
      expectOf(stage, { event, ...delivery }, id.startsWith(EVENT_ID_PREFIX), 'whev_ first', id);
    },
  ),
  deliveryCheck(
    'envelope.created-at',
    ['webhook-envelope.created-at'],
    'createdAt of an event is an ISO 8601 time',
    (delivery, stage) => expectTime(stage, delivery, delivery.event['createdAt']),
  ),
  deliveryCheck(
    'envelope.api-version',
    ['versioning.webhook.api-version'],
    `apiVersion of an event is ${API_VERSION}`,
    (delivery, stage) => {
      const version = delivery.event['apiVersion'];
      expectOf(stage, delivery, version === API_VERSION, API_VERSION, version);
    },
  ),
  deliveryCheck(
    'envelope.test-false',
    ['webhook-envelope.test.false-for-real-runs'],
    'test is false in the events of a real run',
    (delivery, stage) => {
      const { test } = delivery.event;
      expectOf(stage, delivery, test === false, 'false', test);
    },
  ),
  senderCheck(
    'envelope.id-unique',
    ['webhook-envelope.id.idempotency-key'],
    'no two events share an id',
    (context) =>
      onStage(context, async (stage) => {
        const run = await stage.createRun();
        await stage.move(run, 'running', 'finalizing');
        await stage.until(`three events of run ${run.id}`, () => stage.about(run).length > 2);
        const seen = new Map<unknown, string>();
        for (const delivery of stage.about(run)) {
          const text = delivery.body.toString('utf8');
          const before = seen.get(delivery.event['id']) ?? text;
          expectOf(stage, delivery, before === text, 'an id of its own', delivery.event['id']);
          seen.set(delivery.event['id'], text);
        }
      }),
  ),
  deliveryCheck(
    'run.schema',
    [
      'webhook-run.fields',
      'webhook-run.type-values',
      'webhook-run.trigger-type',
      'webhook-run.started-at',
      'webhook-run.completed-at',
    ],
    'the run in an event has the documented members and types',
    (delivery, stage) => {
      const found = schemaFaults('RunSnapshot', { ...runOf(delivery.event), ...JUDGED_ELSEWHERE });
      expectOf(stage, delivery, found === null, 'the members of a run', found);
    },
  ),
  senderCheck(
    'run.automation-id-prefix',
    ['webhook-run.automation-id'],
    'automationId starts with wf_ for a workflow and agent_ for an agent',
    (context) =>
      onStage(context, async (stage) => {
        const workflow = await stage.createRun();
        const agent = await stage.createRun({ automationId: automationOf(stage.world, 'agentId') });
        for (const [run, prefix] of [
          [workflow, 'wf_'],
          [agent, 'agent_'],
        ] as const) {
          await stage.until(`the run.created of ${run.id}`, () => stage.about(run).length > 0);
          for (const delivery of stage.about(run)) {
            const id = String(runOf(delivery.event)['automationId']);
            expectOf(stage, delivery, id.startsWith(prefix), `${prefix} first`, id);
          }
        }
      }),
  ),
  deliveryCheck(
    'run.created-at',
    ['webhook-run.created-at'],
    'createdAt of a run is an ISO 8601 time',
    (delivery, stage) => expectTime(stage, delivery, runOf(delivery.event)['createdAt']),
  ),
  wholeRunCheck(
    'run.status-values',
    ['webhook-run.status-values', 'states.run.values', 'states.run.queued-is-no-status'],
    'the status of a run is one of the nine',
    (delivery, stage) => {
      const { status } = runOf(delivery.event);
      const known = RUN_STATUSES.some((one) => one === status);
      expectOf(stage, delivery, known, RUN_STATUSES.join(', '), status);
    },
  ),
  wholeRunCheck(
    'run.completed-at',
    ['webhook-run.completed-at'],
    'completedAt is set exactly in the terminal statuses',
    (delivery, stage) => {
      const { status, completedAt } = runOf(delivery.event);
      const terminal = TERMINAL_RUN_STATUSES.some((one) => one === status);
      const right = terminal ? typeof completedAt === 'string' : completedAt === null;
      const expected = `completedAt ${terminal ? 'set' : 'null'} in ${String(status)}`;
      expectOf(stage, delivery, right, expected, completedAt);
    },
  ),
  senderCheck(
    'run.output-omitted',
    ['webhook-run.output-omitted'],
    'a large output is in the event or left out with outputOmitted true',
    (context) =>
      onStage(context, async (stage) => {
        const output = { text: 'x'.repeat(400_000) };
        const run = await stage.createRun({ output });
        await stage.until(`the run.created of ${run.id}`, () => stage.about(run).length > 0);
        for (const delivery of stage.about(run)) {
          const snapshot = runOf(delivery.event);
          const { outputOmitted } = snapshot;
          const omitted = outputOmitted === true;
          const boolean = outputOmitted === undefined || typeof outputOmitted === 'boolean';
          const right = boolean && omitted !== 'output' in snapshot;
          expectOf(stage, delivery, right, 'output, or outputOmitted true', { outputOmitted });
        }
      }),
  ),
];

/** Members of a run that have checks of their own, with values that fit. */
const JUDGED_ELSEWHERE = { automationId: 'wf_', status: 'pending' };

function wholeRunCheck(
  name: string,
  requirements: Requirements,
  title: string,
  judge: (delivery: ReceivedDelivery, stage: SenderStage) => void,
): Check {
  return senderCheck(name, requirements, title, (context) =>
    onStage(context, async (stage) => {
      const completed = await stage.createRun();
      await stage.move(completed, 'running', 'waiting', 'running', 'finalizing', 'completed');
      const cancelled = await stage.createRun();
      await stage.move(cancelled, 'cancelled');
      await stage.until(
        `the events of runs ${completed.id} and ${cancelled.id}`,
        () => stage.about(completed).length > 5 && stage.about(cancelled).length > 1,
      );
      for (const delivery of stage.listener.deliveries) judge(delivery, stage);
    }),
  );
}

function expectTime(stage: SenderStage, delivery: ReceivedDelivery, value: unknown): void {
  const fits = typeof value === 'string' && ISO_8601.test(value);
  expectOf(stage, delivery, fits, 'an ISO 8601 time', value);
}
