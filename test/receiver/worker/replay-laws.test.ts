import { runTimeline } from '@hookproof/receiver/testing';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { startedReceiver } from '../started-receiver.ts';

const RUNS = ['exec_1', 'exec_2'];
const EVENTS = RUNS.flatMap((id) =>
  runTimeline(['pending', 'running', 'completed'], { run: { id } }),
);

/** One thing that happens. A replay chooses among all events, also those that wait or never arrived. */
const step = fc.oneof(
  fc.record({ do: fc.constant('deliver' as const), index: fc.nat(EVENTS.length - 1) }),
  fc.record({
    do: fc.constant('replay' as const),
    ids: fc.subarray(EVENTS.map(({ id }) => id)),
  }),
  fc.record({ do: fc.constant('pause' as const) }),
  fc.record({ do: fc.constant('resume' as const) }),
);

it.each(['live', 'ordered'] as const)(
  'whatever is replayed whenever, each event is handled once and once for each replay, in %s mode',
  async (mode) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { receiver, deliver, advance, handledIds } = await startedReceiver({
          mode,
          keepBodiesDays: 7,
        });
        const expected = new Map<string, number>();
        const more = (id: string) => expected.set(id, (expected.get(id) ?? 0) + 1);
        for (const one of steps) {
          if (one.do === 'deliver') {
            const event = EVENTS[one.index];
            if (event === undefined) throw new Error('no event');
            if (!expected.has(event.id)) more(event.id);
            await deliver(event);
          } else if (one.do === 'replay') {
            const states = await Promise.all(one.ids.map((id) => receiver.inspect(id)));
            const handled = states.filter((event) => event?.state === 'handled');
            for (const event of handled) more(event?.id ?? '');
            const dry = await receiver.replay({ ids: one.ids }, { dryRun: true });
            expect([dry, await receiver.replay({ ids: one.ids })]).toEqual([
              handled.length,
              handled.length,
            ]);
          } else await receiver[one.do]();
        }
        await receiver.resume();
        await advance(120_000);
        const counts = new Map<string, number>();
        for (const id of handledIds()) counts.set(id, (counts.get(id) ?? 0) + 1);
        expect(counts).toEqual(expected);
        expect(await receiver.stats()).toMatchObject({ open: 0, dead: 0 });
        await receiver.close();
      }),
      { numRuns: 60 },
    );
  },
);
