import { runCreatedEvent, runTimeline } from '@hookproof/receiver/testing';
import type { RunEvent } from '@hookproof/spec';
import { describe, expect, it } from 'vitest';

import { startedReceiver } from '../started-receiver.ts';

const run = runTimeline(['created', 'pending', 'running', 'failed']);
const ids = run.map(({ id }) => id);

describe('a receiver in live mode', () => {
  it('handles each event once and at once, with its order', async () => {
    const { deliver, handled, handledIds, settled } = await startedReceiver();
    const arrivals = [2, 0, 1, 3, 3].flatMap((place) => run[place] ?? []);
    await deliver(...arrivals);
    expect(handledIds()).toEqual([ids[2], ids[0], ids[1], ids[3]]);
    expect(handled.map(({ order }) => order)).toEqual([
      'unproven',
      'unproven',
      'unproven',
      'assumed',
    ]);
    expect(handled[0]?.missing).toEqual([{ after: null, before: 'pending' }]);
    expect(settled).toHaveLength(1);
  });

  it('calls handlers by type and by status', async () => {
    const calls: string[] = [];
    const { deliver } = await startedReceiver({
      handlers: {
        'run.created': (event) => calls.push(`created ${event.data.run.status}`),
        'run.status_changed': (event) => calls.push(`changed from ${event.data.previousStatus}`),
        running: () => calls.push('running'),
        failed: async () => calls.push('failed'),
        completed: () => calls.push('completed'),
      },
    });
    await deliver(...run);
    expect(calls).toEqual([
      'created created',
      'changed from created',
      'changed from pending',
      'running',
      'changed from running',
      'failed',
    ]);
  });

  it('passes test events only to the test handler', async () => {
    const tests: string[] = [];
    let fetched = 0;
    const { deliver, handled, receiver } = await startedReceiver({
      handlers: { test: ({ id }) => tests.push(id), settled: () => tests.push('settled') },
      fetchRun: async () => {
        fetched += 1;
        throw new Error('a test run must not be fetched');
      },
    });
    const status = 'completed';
    const run1 = { status, outputOmitted: true } as const;
    await deliver(runCreatedEvent({ id: 'whev_test', test: true, run: run1 }));
    await deliver(...run);
    expect(tests).toEqual(['whev_test', 'settled']);
    expect((await handled.at(-1)?.timeline())?.steps).toHaveLength(4);
    expect(fetched).toBe(0);
    expect((await receiver.deadLetters()).items).toEqual([]);
  });

  it('passes on an event of an unknown type or version', async () => {
    const unknown: unknown[] = [];
    const handlers = { unknown: (event: { receivedType: string }) => unknown.push(event) };
    const { deliver, handled, problems } = await startedReceiver({ handlers });
    await deliver(runCreatedEvent({ apiVersion: '2027-01-01' }));
    expect(handled).toMatchObject([{ event: { apiVersion: '2027-01-01' } }]);
    await deliver(deletedEvent());
    expect(unknown).toMatchObject([{ receivedType: 'run.deleted', id: 'whev_deleted' }]);
    expect(problems).toEqual([]);
  });

  it('reports an unknown event without a handler', async () => {
    const { deliver, problems } = await startedReceiver();
    const [response] = await deliver(deletedEvent());
    expect(response?.status).toBe(202);
    expect(problems).toMatchObject([{ code: 'event_unknown', eventId: 'whev_deleted' }]);
  });

  it('continues with the other events of a run while one waits for its retry', async () => {
    let failures = 0;
    const { deliver, advance, handledIds } = await startedReceiver({
      handlers: {
        created: () => {
          failures += 1;
          if (failures === 1) throw new Error('not yet');
        },
      },
    });
    await deliver(...run.slice(0, 2));
    expect(handledIds()).toEqual([ids[0], ids[1]]);
    await advance(1_000);
    expect(handledIds()).toEqual([ids[0], ids[1], ids[0]]);
  });
});

/** Builds an event of a type that only a later release knows. */
function deletedEvent(): RunEvent {
  const later: object = { ...runCreatedEvent({ id: 'whev_deleted' }), type: 'run.deleted' };
  return later as RunEvent;
}
