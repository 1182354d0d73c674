import { TERMINAL_RUN_STATUSES } from '@hookproof/spec';
import type { RunStatus } from '@hookproof/spec';

import type { Check, CheckContext } from '../../check-kit/check.ts';
import { expectAccepted, expectAcceptedAtOnce, signed } from './deliver.ts';
import { afterLater, LostEvent, receiverEffect } from './observed.ts';
import { effectsOf, expectEffect } from './effects.ts';
import { realEvent, runOf } from './real-run.ts';

/** How a run can come to each terminal status. */
const PATHS: Readonly<Record<string, readonly RunStatus[]>> = {
  completed: ['created', 'pending', 'running', 'waiting', 'running', 'finalizing', 'completed'],
  failed: ['pending', 'running', 'failed'],
  cancelled: ['pending', 'cancelled'],
  rejected: ['created', 'rejected'],
};

/** Which events take effect, and how often. */
export const receiverEffectChecks: readonly Check[] = [
  receiverEffect.check({
    name: 'duplicate.single-effect',
    requirements: ['receiver.duplicate.single-effect'],
    title: 'an event delivered three times takes effect once',
    async run(context) {
      const event = realEvent(context, 'effect');
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
      const event = realEvent(context, 'atonce');
      await expectAcceptedAtOnce(context, signed(context, event), 4, 'one of four deliveries');
      expectEffect(await afterLater(context, 'atonce', [event]), event, 'delivered four times');
    },
  }),
  receiverEffect.check({
    name: 'duplicate.late-effect',
    requirements: ['receiver.duplicate.single-effect'],
    title: 'an event that is delivered again after the end of its run takes effect once',
    async run(context) {
      const run = runOf(context, 'redelivered', PATHS['failed'] ?? []);
      for (const event of run) await expectAccepted(context, signed(context, event));
      const before = await afterLater(context, 'redelivered', run);
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
      title: `every event of ${runType} runs takes effect once, up to each terminal status`,
      run: (context) => everyEnd(context, runType),
    }),
  ),
  receiverEffect.check({
    name: 'effect.output-omitted',
    requirements: ['receiver.event.output'],
    title: 'the end of a run takes effect with and without its output',
    async run(context) {
      const lasts = [{ outputOmitted: true }, { output: { total: 3 } }, {}];
      const runs = lasts.map((last, index) =>
        runOf(context, `output${index}`, PATHS['completed'] ?? [], { last }),
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

/** The runs are delivered in order, one event of each in turn. */
async function everyEnd(context: CheckContext, runType: 'workflow' | 'agent'): Promise<void> {
  const runs = TERMINAL_RUN_STATUSES.map((end) =>
    runOf(context, `${runType}${end}`, PATHS[end] ?? [], { runType }),
  );
  const longest = Math.max(...runs.map(({ length }) => length));
  const positions = Array.from({ length: longest }, (_none, position) => position);
  const inTurn = positions.flatMap((position) =>
    runs.flatMap((run) => run.slice(position, position + 1)),
  );
  for (const event of inTurn) {
    await expectAccepted(context, signed(context, event), `an event of a ${runType} run`);
  }
  const observed = await afterLater(context, `${runType}ends`, inTurn).catch((error: unknown) => {
    throw error instanceof LostEvent ? error.violation : error;
  });
  for (const event of inTurn) expectEffect(observed, event, 'delivered once, in order');
}
