import type { Check, CheckContext } from '../../check-kit/check.ts';
import { dataOf, runOf } from '../../listener/delivery.ts';
import type { ReceivedDelivery } from '../../listener/delivery.ts';
import { Inconclusive } from '../../verdict/findings.ts';
import { absence } from './absence.ts';
import { about, byEvent, isChange, isCreated, renamedRedeliveries } from './arrivals.ts';
import type { Arrivals } from './arrivals.ts';
import { isUnknownRun } from '../../driver/recording.ts';
import { expectIn, runsCheck, sender } from './sender-check.ts';
import { responsesOf } from './scenes/responses.ts';
import { wordsOf } from './scenes/observed-run.ts';
import type { ObservedRun } from './scenes/observed-run.ts';
import { observedRunsOf } from './scenes/observed-runs.ts';
import type { ObservedRuns } from './scenes/observed-runs.ts';
import { settle } from './scenes/scene.ts';

/** The events of new runs. */
export const senderCreatedChecks: readonly Check[] = [
  runsCheck({
    name: 'run-created.sent',
    requirements: [
      'webhook-event.created.sent',
      'webhook-event.emitted-for-run-lifecycle',
      'states.run.creation-emits-event',
    ],
    title: 'sends run.created for a new workflow run, whatever its trigger',
    judge: (observed) => expectCreated(observed, ({ wanted }) => wanted.type !== 'agent'),
  }),
  runsCheck({
    name: 'run-created.agent-run',
    requirements: ['webhook-event.created.sent'],
    title: 'sends run.created for a new agent run',
    judge: (observed) => expectCreated(observed, ({ wanted }) => wanted.type === 'agent'),
  }),
  sender.check({
    name: 'run-created.each-once',
    requirements: ['webhook-event.created.sent', 'webhook-envelope.id.idempotency-key'],
    title: 'sends exactly one run.created for each of many runs',
    async run(context) {
      const scene = await responsesOf(context);
      const { deliveries, runs } = scene;
      const expect = expectIn(context);
      // A recording may have runs whose creation it has not seen, and does not know.
      const known = runs.filter(({ id }) => !isUnknownRun(id));
      if (known.length === 0) throw new Inconclusive('Cannot judge: no run was created.');
      const silent = known.filter((run) => !about(deliveries, run).some(isCreated));
      if (silent.length > 0) {
        const ids = silent.map(({ id }) => id).join(', ');
        throw absence(scene, `run.created of each of ${known.length} runs`, ` of ${ids}`);
      }
      const renamed = await renamedIn(context);
      for (const run of known) {
        const created = about(deliveries, run).filter((one) => isCreated(one) && !renamed.has(one));
        const [first, ...others] = byEvent(created).keys();
        const again = deliveries.find(({ event }) => event['id'] === others[0]);
        if (again === undefined) continue;
        expect(again, false, `one run.created of ${run.id}, ${first}`, others);
      }
    },
  }),
  runsCheck({
    name: 'run-created.initial-snapshot',
    requirements: ['webhook-event.created.initial-snapshot'],
    title: 'run.created shows the initial run, also after its status has changed',
    judge({ deliveries, runs }, expect) {
      if (!runs.some(({ run }) => comesAfterChange(about(deliveries, run)))) {
        throw new Inconclusive('Cannot judge: no run.created was delivered after its run changed.');
      }
      for (const { run, statuses } of runs) {
        for (const delivery of about(deliveries, run).filter(isCreated)) {
          const { status } = runOf(delivery.event);
          const isLater = status !== run.status && statuses.some((later) => later === status);
          expect(delivery, !isLater, `status ${run.status}`, status);
        }
      }
    },
  }),
  runsCheck({
    name: 'run-created.no-previous-or-current',
    requirements: ['webhook-event.created.no-previous-or-current'],
    title: 'run.created has neither previousStatus nor currentStatus',
    judge({ deliveries }, expect) {
      for (const delivery of deliveries.filter(isCreated)) {
        const data = dataOf(delivery.event);
        const hasNone = !('previousStatus' in data) && !('currentStatus' in data);
        const expected = 'neither previousStatus nor currentStatus';
        expect(delivery, hasNone, expected, Object.keys(data));
      }
    },
  }),
];

/** Throws unless each of these runs has a run.created. */
function expectCreated(observed: ObservedRuns, isConcerned: (run: ObservedRun) => boolean): void {
  const { deliveries, runs, refusals } = observed;
  const concerned = runs.filter(isConcerned);
  if (concerned.length === 0) {
    throw refusals[0] ?? new Inconclusive('Cannot judge: no such run could be created.');
  }
  const silent = concerned.filter(({ run }) => !about(deliveries, run).some(isCreated));
  const [first] = silent;
  if (first === undefined) return;
  throw absence(
    observed,
    `run.created of ${first.run.id}, ${wordsOf(first.wanted)}`,
    `, as for ${silent.length} of ${concerned.length} runs`,
  );
}

/** Whether a run.created arrived after an event of a change. */
function comesAfterChange(arrivals: Arrivals): boolean {
  const change = arrivals.findIndex(isChange);
  return change !== -1 && arrivals.slice(change).some(isCreated);
}

/** Redeliveries under another id: the check of redeliveries reports them. */
async function renamedIn(context: CheckContext): Promise<ReadonlySet<ReceivedDelivery>> {
  const [observed] = await settle(observedRunsOf(context));
  const [asked] = observed?.redelivery ?? [];
  if (observed === undefined || asked === undefined) return new Set();
  return new Set(renamedRedeliveries(observed.deliveries, asked));
}
