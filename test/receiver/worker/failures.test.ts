import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { createReceiver } from '@hookproof/receiver';
import type { Receiver, ReceiverOptions, Store } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { runCreatedEvent, runTimeline, signEvent } from '@hookproof/receiver/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { retryDelay } from '../../../receiver/src/worker/next-event.ts';
import { SECRET, startedReceiver } from '../started-receiver.ts';
import { virtualClock } from '../virtual-clock.ts';

const event = runCreatedEvent();

describe('retryDelay', () => {
  const policy = {
    maxAttempts: 5,
    firstDelayMilliseconds: 1_000,
    maxDelayMilliseconds: 3_000,
  };

  it('doubles up to the maximum delay, then returns null', () => {
    expect([1, 2, 3, 4, 5, 6].map((failures) => retryDelay(failures, policy))).toEqual([
      1_000,
      2_000,
      3_000,
      3_000,
      null,
      null,
    ]);
  });
});

describe('an event whose handler throws', () => {
  it('is retried with growing delays', async () => {
    const { seen, ...options } = failing(2);
    const { deliver, advance, problems, receiver } = await startedReceiver(options);
    await deliver(event);
    await advance(999);
    expect(seen).toEqual([1]);
    await advance(1);
    await advance(1_999);
    expect(seen).toEqual([1, 2]);
    await advance(1);
    expect(seen).toEqual([1, 2, 3]);
    expect(problems).toMatchObject([
      {
        code: 'handler_failed',
        message: 'Handler failed (attempt 1 of 3, next in 1000 ms). RangeError: failure 1',
        eventId: event.id,
        runId: 'exec_1',
      },
      { code: 'handler_failed' },
    ]);
    expect((await receiver.deadLetters()).items).toEqual([]);
  });

  it('becomes a dead letter after maxAttempts, and is handled when it is redriven', async () => {
    const { seen, ...options } = failing(3);
    const { deliver, advance, problems, receiver, settled } = await startedReceiver(options);
    const run = runTimeline(['pending', 'rejected']);
    await deliver(...run);
    await advance(1_000);
    await advance(2_000);
    await advance(60_000);
    expect(seen).toEqual([1, 2, 3]);
    expect(problems.at(-1)).toMatchObject({
      code: 'event_dead_lettered',
      message: 'Handler failed (attempt 3 of 3); see deadLetters(). RangeError: failure 3',
    });
    const error = 'RangeError: failure 3';
    expect((await receiver.deadLetters()).items).toMatchObject([
      { id: run[0]?.id, runId: 'exec_1', reason: 'handler_failed', error, attempts: 3 },
    ]);
    expect(settled).toEqual([]);
    expect(await receiver.redrive({ ids: ['whev_unknown'] })).toBe(0);
    expect(await receiver.redrive({ ids: [run[0]?.id ?? ''] })).toBe(1);
    await receiver.idle();
    expect(seen).toEqual([1, 2, 3, 1]);
    expect(settled).toHaveLength(1);
    expect((await receiver.deadLetters()).items).toEqual([]);
  });

  it('delays only its run in ordered mode', async () => {
    const { seen, ...options } = failing(1);
    const { deliver, advance, handledIds } = await startedReceiver({
      ...options,
      mode: 'ordered',
      roundTripGraceMilliseconds: 0,
    });
    const run = runTimeline(['pending', 'running']);
    const other = runTimeline(['pending', 'running'], { run: { id: 'exec_2' } });
    await deliver(...run, ...other);
    expect(handledIds()).toEqual([run[0], ...other].map((one) => one?.id));
    await advance(1_000);
    expect(handledIds().slice(3)).toEqual([run[0], run[1]].map((one) => one?.id));
    expect(seen).toEqual([1, 1, 2]);
  });

  it('calls settled again after it throws, and marks the run as settled only on success', async () => {
    let calls = 0;
    const { deliver, advance, handled } = await startedReceiver({
      handlers: {
        settled: () => {
          calls += 1;
          if (calls === 1) throw new Error('not yet');
        },
      },
    });
    await deliver(...runTimeline(['pending', 'cancelled']));
    await advance(1_000);
    expect(calls).toBe(2);
    expect(handled.map(({ attempt }) => attempt)).toEqual([1, 1, 2]);
  });
});

describe('work whose process ended', () => {
  it('is leased again when the lease has expired, waits longer each time, and becomes a dead letter', async () => {
    const store = memoryStore();
    const clock = virtualClock();
    let starts = 0;
    const options = { clock, leaseMilliseconds: 30_000, onError: () => {} };
    for (const [waits, life] of [0, 1_000, 2_000].map(
      (wait, index) => [wait, index + 1] as const,
    )) {
      const receiver = hanging(store, options, () => (starts += 1));
      await receiver.start();
      if (life === 1) {
        const { headers, body } = signEvent(event, { secret: SECRET, now: () => clock.now() });
        await receiver.receive({ method: 'POST', headers, body });
      } else {
        await receiver.idle();
        await clock.advance(waits - 1);
        expect(starts).toBe(life - 1);
        await clock.advance(1);
      }
      await expect.poll(() => starts).toBe(life);
      await clock.advance(29_999);
      expect(starts).toBe(life);
      clock.stopTimers();
      await clock.advance(1);
    }
    const { handledIds, problems, receiver } = await startedReceiver({
      store,
      clock,
      maxCrashes: 3,
    });
    await receiver.idle();
    await clock.advance(4_000);
    await receiver.idle();
    expect(handledIds()).toEqual([]);
    const message =
      'The process ended 3 times while it handled this event (maxCrashes). See deadLetters().';
    expect(problems).toMatchObject([{ code: 'event_poisoned', message, eventId: event.id }]);
    expect((await receiver.deadLetters()).items).toMatchObject([{ reason: 'event_poisoned' }]);
  });

  it('is not leased to another worker while its handler runs', async () => {
    const store = memoryStore();
    const open: (() => void)[] = [];
    const pending = () => new Promise<void>((resolve) => open.push(resolve));
    const { receiver, clock, handledIds } = await startedReceiver({
      store,
      handlers: { pending },
      leaseMilliseconds: 30_000,
      handlerTimeoutMilliseconds: 600_000,
    });
    const other = await startedReceiver({ store: { ...store }, clock });
    await other.receiver.idle();
    const { headers, body } = signEvent(event, { secret: SECRET, now: () => clock.now() });
    await receiver.receive({ method: 'POST', headers, body });
    await expect.poll(handledIds).toEqual([event.id]);
    await clock.advance(120_000);
    expect(other.handledIds()).toEqual([]);
    for (const finish of open) finish();
    await receiver.idle();
    await clock.advance(120_000);
    expect([...handledIds(), ...other.handledIds()]).toEqual([event.id]);
  });

  it('delays close() up to its timeout, and is leased again when the lease has expired', async () => {
    const store = memoryStore();
    let starts = 0;
    const { receiver, clock, deliver, problems } = await startedReceiver({
      store: { ...store, close: async () => {} },
      closeTimeoutMilliseconds: 5_000,
      handlers: {
        pending: () => {
          starts += 1;
          return new Promise(() => {});
        },
      },
    });
    void deliver(event);
    await expect.poll(() => starts).toBe(1);
    const timer = clock.nextTimer(5_000);
    const closed = receiver.close();
    await timer;
    await clock.advance(5_000);
    await closed;
    expect(problems).toMatchObject([
      {
        code: 'closed_unfinished',
        message:
          'close() must finish within 5000 ms, but runs are still being handled: 1. Their unfinished ' +
          'events are handled again when the leases expire. A handler that awaits close() or idle() waits for itself.',
      },
    ]);
    const other = await startedReceiver({ store, clock });
    await clock.advance(24_999);
    expect(other.handledIds()).toEqual([]);
    await clock.advance(1);
    await other.receiver.idle();
    await clock.advance(1_000);
    await other.receiver.idle();
    expect(other.handledIds()).toEqual([event.id]);
  });

  it('survives a clock that jumps forward or back', async () => {
    let offset = 0;
    const clock = virtualClock();
    const jumping = { ...clock, now: () => clock.now() + offset };
    const started = await startedReceiver({ clock: jumping });
    const [first, second] = runTimeline(['pending', 'running']);
    const deliver = async (one: typeof first) => {
      if (one === undefined) throw new Error('no event');
      const { headers, body } = signEvent(one, { secret: SECRET, now: () => jumping.now() });
      await started.receiver.receive({ method: 'POST', headers, body });
      await started.receiver.idle();
    };
    offset = 86_400_000;
    await deliver(first);
    offset = -86_400_000;
    await deliver(second);
    expect(started.handledIds()).toEqual([first?.id, second?.id]);
  });

  it('is not handled again when the store fails for a moment', async () => {
    const store = memoryStore();
    let failures = 1;
    const finish: Store['finish'] = (...finished) =>
      failures-- > 0 ? Promise.reject(new Error('disk full')) : store.finish(...finished);
    const { deliver, advance, handledIds, problems, receiver } = await startedReceiver({
      store: { ...store, finish },
    });
    void deliver(event);
    await expect.poll(() => problems.length).toBe(1);
    await advance(500);
    await receiver.idle();
    expect(problems).toMatchObject([
      {
        code: 'store_unavailable',
        message: 'The store did not write a result; the next try is in 500 ms. Error: disk full',
      },
    ]);
    expect(handledIds()).toEqual([event.id]);
  });

  it('is forgotten after thirty days, when the next delivery arrives', async () => {
    const { deliver, advance } = await startedReceiver({ pollMilliseconds: 3_600_000 });
    await deliver(event);
    await advance(30 * 86_400_000);
    expect((await deliver(event))[0]).toMatchObject({ code: 'duplicate' });
    await advance(2 * 3_600_000);
    await deliver(runCreatedEvent({ id: 'whev_next', run: { id: 'exec_next' } }));
    expect((await deliver(event))[0]).toMatchObject({ code: 'accepted' });
  });

  it('is not forgotten by a clock that is ahead at the start, and right again', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-retention-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = path.join(folder, 'events.db');
    const clock = virtualClock();
    const delivery = signEvent(event, { secret: SECRET, now: () => clock.now() });
    const codes: string[] = [];
    for (const days of [0, 40, 0]) {
      const now = () => clock.now() + days * 86_400_000;
      const { receiver } = await startedReceiver({
        store: sqliteStore({ file }),
        clock: { ...clock, now },
      });
      codes.push((await receiver.receive({ method: 'POST', ...delivery })).code);
      await receiver.idle();
      await receiver.close();
    }
    expect(codes).toEqual(['accepted', 'timestamp_too_old', 'duplicate']);
  });

  it('is not forgotten while the clock of the server of a store is ahead', async () => {
    const store = memoryStore();
    const now = async () => (await store.now()) + 40 * 86_400_000;
    const { deliver, advance } = await startedReceiver({
      store: { ...store, now },
      pollMilliseconds: 3_600_000,
    });
    await deliver(event);
    await advance(31 * 86_400_000);
    await deliver(runCreatedEvent({ id: 'whev_next', run: { id: 'exec_next' } }));
    expect((await deliver(event))[0]).toMatchObject({ code: 'duplicate' });
  });
});

/** Returns options whose handler throws this often, and the attempts that it saw. */
function failing(failures: number): Partial<ReceiverOptions> & { seen: number[] } {
  const seen: number[] = [];
  const created = (_: unknown, { attempt }: { attempt: number }) => {
    seen.push(attempt);
    if (seen.length <= failures) throw new RangeError(`failure ${seen.length}`);
  };
  return { seen, handlers: { 'run.created': created }, maxAttempts: 3 };
}

/** Creates a receiver on a shared store whose handler never returns, like that of a killed process. */
function hanging(store: Store, options: Partial<ReceiverOptions>, started: () => void): Receiver {
  return createReceiver({
    secrets: SECRET,
    store: { ...store, renew: () => new Promise(() => {}) },
    handlers: {
      event: () => {
        started();
        return new Promise(() => {});
      },
    },
    ...options,
  });
}
