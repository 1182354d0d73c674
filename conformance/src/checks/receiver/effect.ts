import type { Check } from '../../check-kit/check.ts';
import { Violation } from '../../verdict/findings.ts';
import { assumeSuccess } from '../../check-kit/expect.ts';
import { deliver } from './deliver.ts';
import { afterLater, receiverEffect, seen } from './observed.ts';
import { realEvent, testRun } from './run-events.ts';

/** Which events take effect, and how often. */
export const receiverEffectChecks: readonly Check[] = [
  receiverEffect.check({
    name: 'duplicate.single-effect',
    requirements: ['receiver.duplicate.single-effect'],
    title: 'an event delivered three times takes effect once',
    async run(context) {
      const event = realEvent(context, 'effect');
      assumeSuccess(await deliver(context, event));
      await Promise.all([deliver(context, event), deliver(context, event)]);
      await seen(context, event.id);
      const { handled, exchange } = await afterLater(context, 'effect');
      const times = handled.filter(({ id }) => id === event.id).length;
      if (times !== 1) {
        throw new Violation({ expected: 'one effect', actual: `${times} effects`, exchange });
      }
    },
  }),
  receiverEffect.check({
    name: 'test-event.not-real',
    requirements: ['receiver.test-event.not-real'],
    title: 'a test event of either type takes no effect',
    async run(context) {
      const tests = testRun(context, 'not-real', ['pending', 'running']);
      for (const event of tests) assumeSuccess(await deliver(context, event));
      const { handled, exchange } = await afterLater(context, 'not-real');
      const event = handled.find(({ id }) => tests.some((test) => test.id === id));
      if (event !== undefined) {
        const actual = `${event.id} among what was handled`;
        throw new Violation({ expected: 'no effect of a test event', actual, exchange });
      }
    },
  }),
];
