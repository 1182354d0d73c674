import type { Check, CheckContext } from '../../check-kit/check.ts';
import { Violation } from '../../verdict/findings.ts';
import { assumeSuccess, show } from '../../check-kit/expect.ts';
import { deliver } from './deliver.ts';
import { afterLater, receiverEffect, seen } from './observed.ts';
import type { Observed } from './observed.ts';
import { realRun } from './run-events.ts';

const STATUSES = ['pending', 'running', 'waiting', 'running', 'finalizing', 'completed'];

/**
 * The events of one run, delivered backwards and then again. A receiver need not let every event
 * take effect: it may ignore events that are older than the newest status.
 */
export const receiverOrderChecks: readonly Check[] = [
  receiverEffect.check({
    name: 'duplicate.out-of-order',
    requirements: ['receiver.duplicate.single-effect'],
    title: 'events delivered backwards and twice take effect at most once',
    async run(context) {
      const { steps, exchange } = await backwardsAndTwice(context, 'twice');
      const twice = steps.find((step, index) => steps.indexOf(step) !== index);
      if (twice !== undefined) {
        throw new Violation({
          expected: 'each event at most once',
          actual: `the ${STATUSES[twice]} of step ${twice + 1} twice`,
          exchange,
        });
      }
    },
  }),
  receiverEffect.check({
    name: 'order.not-by-arrival',
    requirements: ['receiver.order.not-by-arrival'],
    title: 'events delivered backwards take effect in the order of the run',
    async run(context) {
      const { steps, exchange } = await backwardsAndTwice(context, 'order');
      const inOrder = steps.toSorted((left, right) => left - right);
      if (show(steps) !== show(inOrder)) {
        throw new Violation({ expected: path(inOrder), actual: path(steps), exchange });
      }
    },
  }),
];

/** The steps of the run that took effect, in the order of the observer, the last step included. */
async function backwardsAndTwice(
  context: CheckContext,
  name: string,
): Promise<{ readonly steps: readonly number[]; readonly exchange: Observed['exchange'] }> {
  const events = realRun(context, name, STATUSES);
  const backwards = events.toReversed();
  for (const event of [...backwards, ...backwards]) {
    assumeSuccess(await deliver(context, event));
  }
  await seen(context, backwards[0]?.id ?? '');
  const { handled, exchange } = await afterLater(context, name);
  const steps = handled.map(({ id }) => events.findIndex((event) => event.id === id));
  return { steps: steps.filter((step) => step >= 0), exchange };
}

function path(steps: readonly number[]): string {
  return steps.map((step) => STATUSES[step]).join(' → ');
}
