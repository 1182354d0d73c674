import { runTimeline } from '@hookproof/receiver/testing';
import type { RunEvent } from '@hookproof/spec';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { startedReceiver } from '../started-receiver.ts';

const ordered = { mode: 'ordered', roundTripGraceMilliseconds: 0 } as const;
const run = runTimeline(['pending', 'running', 'waiting', 'running', 'completed']);
const ids = run.map(({ id }) => id);
const at = (...places: number[]): RunEvent[] => places.flatMap((place) => run[place] ?? []);

describe('a receiver in ordered mode', () => {
  it('handles a run that arrives in order at once', async () => {
    const { deliver, handled, handledIds, settled } = await startedReceiver(ordered);
    await deliver(...run);
    expect(handledIds()).toEqual(ids);
    expect(handled.map(({ order }) => order)).toEqual(
      ids.map((_, place) => (place === 0 ? 'proven' : 'assumed')),
    );
    expect(settled).toMatchObject([
      { runId: 'exec_1', status: 'completed', event: { id: ids[4] } },
    ]);
  });

  it('holds events back until the missing earlier ones arrive', async () => {
    const { deliver, handledIds, settled } = await startedReceiver(ordered);
    await deliver(...at(3, 1));
    expect(handledIds()).toEqual([]);
    await deliver(...at(0));
    expect(handledIds()).toEqual([ids[0], ids[1]]);
    await deliver(...at(2));
    expect(handledIds()).toEqual(ids.slice(0, 4));
    expect(settled).toEqual([]);
    await deliver(...at(4));
    expect(handledIds()).toEqual(ids);
    expect(settled).toHaveLength(1);
  });

  it('reports the gap after the grace, and settles when the missing event arrives', async () => {
    const options = { ...ordered, gapGraceMilliseconds: 60_000 };
    const { deliver, advance, handled, handledIds, settled } = await startedReceiver(options);
    await deliver(...at(0, 2, 3, 4));
    await advance(59_999);
    expect(handledIds()).toEqual([ids[0]]);
    await advance(1);
    expect(handledIds()).toEqual([ids[0], ids[2], ids[3], ids[4]]);
    expect(handled[1]).toMatchObject({
      order: 'unproven',
      missing: [{ after: 'pending', before: 'running' }],
    });
    expect(settled).toEqual([]);
    await deliver(...at(1));
    expect(handled.at(-1)).toMatchObject({ order: 'unproven', missing: [] });
    expect(settled).toMatchObject([{ event: { id: ids[1] }, status: 'completed' }]);
  });

  it.each([
    ['moves', 12, 'waiting'],
    ['moves and the end', 80, 'completed'],
  ] as const)('holds a late event back when all later %s were redriven', async (_, count, last) => {
    const statuses = Array.from({ length: count }, (_each, index) =>
      index % 2 === 0 ? ('running' as const) : ('waiting' as const),
    );
    const events = runTimeline(['pending', ...statuses, last]);
    const [first, late, ...later] = events;
    if (first === undefined || late === undefined) throw new Error('A run must have two events.');
    let isBroken = false;
    const { deliver, advance, handledIds, receiver } = await startedReceiver({
      mode: 'ordered',
      retryForHours: 0,
      handlers: {
        'run.status_changed': () => {
          if (isBroken) throw new Error('billing is down');
        },
      },
    });
    await deliver(first);
    await advance(1_000);
    isBroken = true;
    await deliver(...later);
    await advance(60_000);
    expect(await receiver.stats()).toMatchObject({ dead: later.length });
    isBroken = false;
    await receiver.pause();
    await receiver.redrive({});
    await deliver(late);
    await receiver.resume();
    await advance(999);
    const before = handledIds().filter((id) => id === late.id);
    await advance(1);
    expect([before, handledIds().filter((id) => id === late.id)]).toEqual([[], [late.id]]);
  });

  it('holds back the newest event, where a round trip can be missing without a gap', async () => {
    const options = { ...ordered, roundTripGraceMilliseconds: 1_000 };
    const { deliver, advance, handledIds } = await startedReceiver(options);
    await deliver(...at(0, 1, 4));
    expect(handledIds()).toEqual(ids.slice(0, 1));
    await advance(400);
    await deliver(...at(3, 2));
    await advance(1_000);
    expect(handledIds()).toEqual(ids);
  });

  it('handles later and impossible events, and marks them', async () => {
    const { deliver, handled, settled } = await startedReceiver(ordered);
    const [last] = at(4);
    if (last?.type !== 'run.status_changed') throw new Error('the last event is a change');
    const impossible: RunEvent = {
      ...last,
      id: 'whev_after_the_end',
      data: { ...last.data, previousStatus: 'completed' },
    };
    await deliver(...at(0, 1, 4), ...at(2, 3), impossible);
    expect(handled.map(({ event, order }) => [event.id, order])).toEqual([
      [ids[0], 'proven'],
      [ids[1], 'assumed'],
      [ids[4], 'assumed'],
      [ids[2], 'unproven'],
      [ids[3], 'unproven'],
      ['whev_after_the_end', 'unproven'],
    ]);
    expect(settled).toHaveLength(1);
  });

  it('handles one event of a run at a time, and other runs at the same time', async () => {
    let running = 0;
    const seen: string[] = [];
    const open: (() => void)[] = [];
    const { receiver, deliver } = await startedReceiver({
      ...ordered,
      handlers: {
        event: async (event) => {
          running += 1;
          seen.push(`${event.data.run.id} ${running}`);
          await new Promise<void>((resolve) => open.push(resolve));
          running -= 1;
        },
      },
    });
    const other = runTimeline(['pending', 'running'], { run: { id: 'exec_2' } });
    void deliver(...run.slice(0, 2));
    void deliver(...other);
    await expect.poll(() => seen).toEqual(['exec_1 1', 'exec_2 2']);
    for (let turn = 0; turn < 2; turn += 1) {
      for (const resolve of open.splice(0)) resolve();
      await expect.poll(() => open.length + Number(seen.length === 4)).toBeGreaterThan(0);
    }
    for (const resolve of open.splice(0)) resolve();
    await receiver.close();
    expect(seen.filter((line) => line.endsWith('3'))).toEqual([]);
  });

  it('handles every event once and in order for any order of arrival', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([0, 1, 2, 3, 4, 0, 2, 4], { minLength: 8, maxLength: 8 }),
        async (places) => {
          const { deliver, advance, handledIds, settled, receiver } = await startedReceiver({
            mode: 'ordered',
          });
          await deliver(...places.flatMap((place) => at(place)));
          await advance(1_000);
          expect(handledIds()).toEqual(ids);
          expect(settled).toHaveLength(1);
          await receiver.close();
        },
      ),
      { numRuns: 100, seed: 3 },
    );
  });
});
