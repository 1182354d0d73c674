import { setTimeout as pause } from 'node:timers/promises';

import type { Check } from '../../check-kit/check.ts';
import { NotApplicable } from '../../verdict/findings.ts';
import { assumeAccepted, expectAccepted, expectAcceptedAtOnce, signed } from './deliver.ts';
import { effectsOf, expectEffect } from './effects.ts';
import { handlingOf, seeCheckOf } from './handling.ts';
import { afterLater, handledRun, receiverEffect } from './observed.ts';
import { PATHS, runOf } from './real-run.ts';

const [COMPLETED = [], FAILED = []] = PATHS;
const LATER_MILLISECONDS = 6_000;

/** Which events take effect, and how often. */
export const receiverEffectChecks: readonly Check[] = [
  receiverEffect.check({
    name: 'duplicate.single-effect',
    requirements: ['receiver.duplicate.single-effect'],
    title: 'an event delivered three times takes effect once',
    async run(context) {
      const { before, event } = await handledRun(context, 'effect');
      for (const earlier of before) await assumeAccepted(context, earlier);
      const make = signed(context, event);
      await expectAccepted(context, make);
      await expectAcceptedAtOnce(context, make, 2, 'the event again');
      expectEffect(await afterLater(context, 'effect', [event]), event, 'delivered three times');
    },
  }),
  receiverEffect.check({
    name: 'duplicate.simultaneous-effect',
    requirements: ['receiver.duplicate.single-effect'],
    title: 'an event delivered four times at once takes effect once',
    async run(context) {
      const { before, event } = await handledRun(context, 'atonce');
      for (const earlier of before) await assumeAccepted(context, earlier);
      await expectAcceptedAtOnce(context, signed(context, event), 4, 'one of four deliveries');
      expectEffect(await afterLater(context, 'atonce', [event]), event, 'delivered four times');
    },
  }),
  receiverEffect.check({
    name: 'duplicate.late-effect',
    requirements: ['receiver.duplicate.single-effect'],
    title: 'an event that is delivered again seconds after the end of its run takes effect once',
    async run(context) {
      const run = runOf(context, 'redelivered', FAILED);
      for (const event of run) await expectAccepted(context, signed(context, event));
      const before = await afterLater(context, 'redelivered', run);
      // A sender waits before it tries again: what is remembered for a moment only is forgotten by then.
      await pause(LATER_MILLISECONDS, undefined, { signal: context.signal });
      for (const event of run) await expectAccepted(context, signed(context, event));
      const after = await afterLater(context, 'redeliveredagain', run);
      for (const event of run) {
        if (effectsOf(before, event) > 0) expectEffect(after, event, 'delivered again');
      }
    },
  }),
  ...(['workflow', 'agent'] as const).map((runType) =>
    receiverEffect.check({
      name: `effect.${runType}-run`,
      requirements: ['receiver.duplicate.single-effect'],
      title: `events of ${runType} runs take effect once, up to each terminal status`,
      async run(context) {
        const handling = await handlingOf(context);
        const [reporting = runType] = handling.failures.keys();
        if (!handling.isReliable && reporting !== runType) throw seeCheckOf(reporting);
        const failure = handling.failures.get(runType);
        if (failure !== undefined) throw failure;
        if (!handling.handlesRunsOf(runType)) {
          throw new NotApplicable(`the receiver handles no event of ${runType} runs`);
        }
      },
    }),
  ),
  receiverEffect.check({
    name: 'effect.output-omitted',
    requirements: ['receiver.event.output'],
    title: 'the end of a run takes effect with and without its output, and beyond ASCII',
    async run(context) {
      const lasts = [
        { outputOmitted: true },
        { output: { total: 3 } },
        { output: { carrier: 'Zoë 日本語 😀', note: 'two\nlines' } },
        {},
      ];
      const runs = lasts.map((last, index) =>
        runOf(context, `output${index}`, COMPLETED, { last }),
      );
      for (const event of runs.flat()) await expectAccepted(context, signed(context, event));
      const ends = runs.flatMap((run) => run.slice(-1));
      const observed = await afterLater(context, 'output', ends);
      for (const event of ends) expectEffect(observed, event, 'the end of a run');
    },
  }),
  receiverEffect.check({
    name: 'test-event.not-real',
    requirements: ['receiver.test-event.not-real'],
    title: 'a test event of either type takes no effect',
    async run(context) {
      const tests = runOf(context, 'notreal', ['pending', 'running'], { test: true });
      for (const event of tests) await expectAccepted(context, signed(context, event));
      const observed = await afterLater(context, 'notreal', []);
      for (const event of tests) expectEffect(observed, event, 'a test event', 0);
    },
  }),
];
