import { runTimeline } from '@hookproof/receiver/testing';
import type { RunEvent } from '@hookproof/spec';
import { describe, expect, it } from 'vitest';

import { startedReceiver } from '../started-receiver.ts';

const ordered = { mode: 'ordered', roundTripGraceMilliseconds: 0 } as const;
const run = runTimeline([
  'pending',
  'running',
  'waiting',
  'running',
  'waiting',
  'running',
  'failed',
]);
const at = (...places: number[]): RunEvent[] => places.flatMap((place) => run[place] ?? []);

describe('what is said about the order of an event', () => {
  it('is never that a chain proves it, because a round trip leaves no gap', async () => {
    const { deliver, handled, settled } = await startedReceiver(ordered);
    await deliver(...at(0, 1, 2, 5, 6));
    expect(handled.map(({ order }) => order)).toEqual([
      'proven',
      'assumed',
      'assumed',
      'assumed',
      'assumed',
    ]);
    expect(settled).toMatchObject([{ provenBy: 'events-as-known' }]);
    await deliver(...at(3, 4));
    expect(handled.slice(5).map(({ order }) => order)).toEqual(['unproven', 'unproven']);
  });

  it('is proven for the creation alone', async () => {
    const { deliver, handled } = await startedReceiver(ordered);
    await deliver(...at(0));
    expect(handled).toMatchObject([{ order: 'proven', missing: [] }]);
  });

  it('is unproven after a later event was discarded, as after one that was handled', async () => {
    const { deliver, receiver, handled } = await startedReceiver({
      retryForHours: 0,
      handlers: {
        running: () => {
          throw new Error('This event is discarded.');
        },
      },
    });
    await deliver(...at(1));
    await receiver.discard({});
    await deliver(...at(0));
    expect(handled.at(-1)).toMatchObject({ event: { id: run[0]?.id }, order: 'unproven' });
  });

  it('is unproven where several orders are equally good', async () => {
    const quick = run.map((event, place) => {
      const createdAt = `2026-07-01T12:00:00.0${place}Z`;
      return { ...event, createdAt };
    });
    const { deliver, handled, settled } = await startedReceiver(ordered);
    await deliver(...quick);
    const timeline = await handled.at(-1)?.timeline();
    expect(timeline).toMatchObject({ isUnbroken: true, isAmbiguous: true });
    expect(handled.at(-1)?.order).toBe('unproven');
    expect(settled).toMatchObject([{ status: 'failed', provenBy: 'events-as-known' }]);
  });

  it('waits for a round trip before every event that leaves a status', async () => {
    const options = { ...ordered, roundTripGraceMilliseconds: 1_000 };
    const { deliver, advance, handledIds } = await startedReceiver(options);
    await deliver(...at(0, 1));
    expect(handledIds()).toEqual([run[0]?.id]);
    await advance(1_000);
    expect(handledIds()).toEqual([run[0]?.id, run[1]?.id]);
  });

  it('is the whole history when a run is created in a terminal status', async () => {
    const { deliver, settled } = await startedReceiver(ordered);
    await deliver(...runTimeline(['rejected']));
    expect(settled).toMatchObject([{ status: 'rejected', provenBy: 'events' }]);
  });
});
