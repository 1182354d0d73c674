import { setTimeout as pause } from 'node:timers/promises';

import type { Check, CheckContext } from '../../check.ts';
import { Inconclusive, Violation } from '../../findings.ts';
import { expectControlPasses } from '../expect.ts';
import { deliver, testEvent } from './deliver.ts';

const PAUSE_MILLISECONDS = 25;
const PATIENCE_MILLISECONDS = 8_000;

/** What the observer address shows: it names the id of each event that took effect, once for each time. */
export const receiverEffectChecks: readonly Check[] = [
  {
    id: 'receiver.duplicate.single-effect',
    requirement: 'receiver.duplicate.single-effect',
    side: 'receiver',
    title: 'an event that is delivered three times takes effect once',
    // A test event must have no effect, so this one is none.
    effect: 'write',
    needs: ['receiver', 'receiver.observer'],
    async run(context) {
      const event = realEvent(context, 'effect');
      const later = realEvent(context, 'later');
      expectControlPasses(await deliver(context, event));
      await Promise.all([deliver(context, event), deliver(context, event)]);
      await seen(context, event.id);
      // Once a later event has taken effect, a second effect of the first would show.
      expectControlPasses(await deliver(context, later));
      await seen(context, later.id);
      const { text, exchange } = await context.receiver.observe();
      const times = count(text, event.id);
      if (times !== 1) {
        throw new Violation({ expected: 'one effect', actual: `${times} effects`, exchange });
      }
    },
  },
];

async function seen(context: CheckContext, id: string): Promise<void> {
  const end = context.now() + PATIENCE_MILLISECONDS;
  while (context.now() < end && !context.signal.aborted) {
    if (count((await context.receiver.observe()).text, id) > 0) return;
    await pause(PAUSE_MILLISECONDS);
  }
  throw new Inconclusive(`the observer address did not name ${id}, which was accepted`);
}

function count(text: string, id: string): number {
  return text.split(JSON.stringify(id)).length - 1;
}

/** An event of a run of its own, so that it waits for no other event. */
function realEvent(context: CheckContext, name: string): ReturnType<typeof testEvent> {
  const { id, body } = testEvent(context, name);
  const run = `run_suite_${name}_${context.attempt}_${context.now()}`;
  return { id, body: body.replace('"test":true', '"test":false').replace('run_suite', run) };
}
