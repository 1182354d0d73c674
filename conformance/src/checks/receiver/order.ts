import type { RunStatus } from '@hookproof/spec';

import type { Check, CheckContext } from '../../check-kit/check.ts';
import { show } from '../../check-kit/expect.ts';
import { Violation } from '../../verdict/findings.ts';
import { expectAccepted, expectAllAccepted, signed } from './deliver.ts';
import { expectEffect } from './effects.ts';
import { afterLater, receiverEffect } from './observed.ts';
import type { Observed } from './observed.ts';
import { runOf } from './real-run.ts';
import type { RealEvent } from './real-run.ts';

const STATUSES: readonly RunStatus[] = [
  'pending',
  'running',
  'waiting',
  'running',
  'waiting',
  'running',
  'finalizing',
  'completed',
];
const ENDS: readonly (readonly RunStatus[])[] = [
  ['pending', 'running', 'completed'],
  ['pending', 'running', 'failed'],
  ['pending', 'running', 'cancelled'],
  ['created', 'pending', 'rejected'],
];

/** The positions of the events in the order of arrival: with the last status last, in the middle, and of a run that goes on. */
const SHUFFLED: readonly {
  readonly statuses: readonly RunStatus[];
  readonly positions: number[];
}[] = [
  {
    statuses: ['pending', 'running', 'waiting', 'running', 'completed'],
    positions: [2, 0, 3, 1, 4],
  },
  { statuses: ['pending', 'running', 'waiting', 'running', 'failed'], positions: [1, 3, 4, 0, 2] },
  { statuses: ['created', 'pending', 'running', 'waiting'], positions: [1, 3, 0, 2] },
  { statuses: ['pending', 'running', 'waiting'], positions: [2, 0, 1] },
];

/**
 * The events of runs in other orders than their own. A receiver need not let every event take effect: it may ignore
 * events that are older than the newest status.
 */
export const receiverOrderChecks: readonly Check[] = [
  receiverEffect.check({
    name: 'duplicate.out-of-order',
    requirements: ['receiver.duplicate.single-effect'],
    title: 'events delivered backwards and twice take effect at most once',
    async run(context) {
      const run = runOf(context, 'backtwice', STATUSES);
      const backwards = run.toReversed();
      const observed = await deliverAll(context, 'backtwice', run.slice(-1), [
        ...backwards,
        ...backwards,
      ]);
      const steps = stepsOf(run, observed);
      const twice = steps.find((step, index) => steps.indexOf(step) !== index);
      if (twice !== undefined) {
        throw new Violation({
          expected: 'each event at most once',
          actual: `the ${STATUSES[twice]} of step ${twice + 1} twice`,
          exchange: observed.response.exchange,
        });
      }
    },
  }),
  receiverEffect.check({
    name: 'duplicate.same-status',
    requirements: ['receiver.duplicate.single-effect'],
    title: 'a run that waits twice, delivered in order, has an effect of each change',
    async run(context) {
      const run = runOf(context, 'waitstwice', STATUSES);
      const observed = await deliverInOrder(context, 'waitstwice', run, run);
      for (const event of run) expectEffect(observed, event, 'delivered once, in order');
    },
  }),
  receiverEffect.check({
    name: 'order.same-moment-in-order',
    requirements: ['receiver.order.not-by-arrival'],
    title: 'a run whose events have one createdAt, delivered in order, ends in its terminal status',
    async run(context) {
      const statuses = ENDS[0] ?? [];
      const run = runOf(context, 'inonemoment', statuses, { step: 0 });
      const observed = await deliverInOrder(context, 'inonemoment', run.slice(-1), run);
      expectEnd(run, observed, statuses);
    },
  }),
  receiverEffect.check({
    name: 'order.not-by-arrival',
    requirements: ['receiver.order.not-by-arrival'],
    title: 'events delivered backwards take effect in the order of the run',
    async run(context) {
      const run = runOf(context, 'backwards', STATUSES);
      expectOrder(
        run,
        await deliverAll(context, 'backwards', run.slice(-1), run.toReversed()),
        STATUSES,
      );
    },
  }),
  receiverEffect.check({
    name: 'order.at-once',
    requirements: ['receiver.order.not-by-arrival'],
    title: 'events delivered at the same moment take effect in the order of the run',
    async run(context) {
      const run = runOf(context, 'together', STATUSES, { runType: 'agent' });
      await Promise.all(run.map((event) => expectAccepted(context, signed(context, event))));
      expectOrder(run, await afterLater(context, 'together', run.slice(-1)), STATUSES);
    },
  }),
  receiverEffect.check({
    name: 'order.terminal-kept',
    requirements: ['receiver.order.not-by-arrival'],
    title: 'an event that arrives after the end of its run does not change its terminal status',
    async run(context) {
      const runs = ENDS.map((statuses, index) => runOf(context, `ends${index}`, statuses));
      const late = runs.flatMap((run) => [...run.slice(-1), ...run.slice(0, -1)]);
      const observed = await deliverAll(
        context,
        'ends',
        runs.flatMap((run) => run.slice(-1)),
        late,
      );
      for (const [index, run] of runs.entries()) expectEnd(run, observed, ENDS[index] ?? []);
    },
  }),
  receiverEffect.check({
    name: 'order.shuffled',
    requirements: ['receiver.order.not-by-arrival'],
    title: 'events delivered in other orders take effect in the order of the run',
    async run(context) {
      const runs = SHUFFLED.map(({ statuses }, index) =>
        runOf(context, `shuffled${index}`, statuses),
      );
      const arrivals = runs.flatMap((run, index) =>
        inPositions(run, SHUFFLED[index]?.positions ?? []),
      );
      const ends = runs.flatMap((run) => run.slice(-1));
      const observed = await deliverAll(context, 'shuffled', ends, arrivals);
      for (const [index, run] of runs.entries()) {
        expectOrder(run, observed, SHUFFLED[index]?.statuses ?? []);
      }
    },
  }),
  receiverEffect.check({
    name: 'order.same-moment',
    requirements: ['receiver.order.not-by-arrival'],
    title: 'a run whose events have one createdAt ends in its terminal status',
    async run(context) {
      const statuses = ENDS[0] ?? [];
      const run = runOf(context, 'onemoment', statuses, { step: 0 });
      const observed = await deliverAll(context, 'onemoment', run.slice(-1), run.toReversed());
      expectEnd(run, observed, statuses);
    },
  }),
];

function inPositions(
  run: readonly RealEvent[],
  positions: readonly number[],
): readonly RealEvent[] {
  return positions.flatMap((position) => run.slice(position, position + 1));
}

/** No event is delivered before the one before it was accepted: a retry after the others would be late. */
async function deliverInOrder(
  context: CheckContext,
  label: string,
  wanted: readonly RealEvent[],
  run: readonly RealEvent[],
): Promise<Observed> {
  for (const event of run) await expectAccepted(context, signed(context, event));
  return afterLater(context, label, wanted);
}

async function deliverAll(
  context: CheckContext,
  label: string,
  wanted: readonly RealEvent[],
  arrivals: readonly RealEvent[],
): Promise<Observed> {
  await expectAllAccepted(context, arrivals);
  return afterLater(context, label, wanted);
}

/** The steps of the run that took effect, in the order of the observer. */
function stepsOf(run: readonly RealEvent[], { handled }: Observed): readonly number[] {
  return handled.map((id) => run.findIndex((event) => event.id === id)).filter((step) => step >= 0);
}

function expectOrder(
  run: readonly RealEvent[],
  observed: Observed,
  statuses: readonly RunStatus[],
): void {
  expectEnd(run, observed, statuses);
  const steps = stepsOf(run, observed);
  const inOrder = steps.toSorted((left, right) => left - right);
  if (show(steps) === show(inOrder)) return;
  throw new Violation({
    expected: path(inOrder, statuses),
    actual: path(steps, statuses),
    exchange: observed.response.exchange,
  });
}

/** The newest event of a run is never too old to be ignored; its kind may be. */
function expectEnd(
  run: readonly RealEvent[],
  observed: Observed,
  statuses: readonly RunStatus[],
): void {
  const steps = stepsOf(run, observed);
  const newest = run.at(-1);
  const isHandled = newest !== undefined && observed.handling.isHandled(newest);
  if (!isHandled || steps.at(-1) === run.length - 1) return;
  throw new Violation({
    expected: `${statuses.at(-1)} as the last status of the run`,
    actual: steps.length === 0 ? 'no effect of the run' : path(steps, statuses),
    exchange: observed.response.exchange,
  });
}

function path(steps: readonly number[], statuses: readonly RunStatus[]): string {
  return steps.map((step) => statuses[step]).join(' → ');
}
