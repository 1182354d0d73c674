import path from 'node:path';

import { createReceiver, GiveUp, RetryLater } from '@hookproof/receiver';
import type { Receiver, ReceiverOptions, Store } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { runCreatedEvent, runTimeline, signEvent } from '@hookproof/receiver/testing';
import { describe, expect, it } from 'vitest';

import { retryDelay } from '../../../receiver/src/worker/retry.ts';
import { emptyFolder } from '../../empty-folder.ts';
import { SECRET, startedReceiver } from '../started-receiver.ts';
import { virtualClock } from '../virtual-clock.ts';

const event = runCreatedEvent();

/** Two seconds: an event is tried at once, after about one second, and then for the last time. */
const THREE_ATTEMPTS = 2 / 3_600;

const HOUR = 3_600_000;

describe('retryDelay', () => {
  const policy = {
    forMilliseconds: 24 * HOUR,
    firstDelayMilliseconds: 1_000,
    maxDelayMilliseconds: HOUR,
  };
  const delayOf = (failures: number, failingFor = 0, id = 'whev_1'): number | null =>
    retryDelay({ id, failures, failingFor }, policy);

  it('doubles up to an hour, and is up to a fifth shorter, differently for each event', () => {
    const whole = [1, 2, 3, 4, 12, 13, 40].map((failures) => Math.min(2 ** (failures - 1), 3_600));
    for (const id of ['whev_1', 'whev_2', 'other']) {
      const shares = [1, 2, 3, 4, 12, 13, 40].map(
        (failures, index) => (delayOf(failures, 0, id) ?? 0) / ((whole[index] ?? 0) * 1_000),
      );
      for (const share of shares) expect(share).toBeCloseTo(shares[0] ?? 0, 2);
      expect(shares[0]).toBeGreaterThan(0.8);
      expect(shares[0]).toBeLessThanOrEqual(1);
    }
    const ids = Array.from({ length: 100 }, (_, index) => `whev_${index}`);
    expect(new Set(ids.map((id) => delayOf(9, 0, id))).size).toBeGreaterThan(90);
  });

  it('ends with the time, at which the last attempt is', () => {
    expect(delayOf(30, 24 * HOUR - 4.7), 'in whole milliseconds').toBe(5);
    expect(delayOf(30, 24 * HOUR)).toBeNull();
    expect(
      retryDelay({ id: 'a', failures: 1, failingFor: 0 }, { ...policy, forMilliseconds: 0 }),
    ).toBeNull();
  });

  it('is what a handler asks for, also beyond the time, and at least what a service asks for', () => {
    const failed = { id: 'whev_1', failures: 1, failingFor: 0 };
    expect(retryDelay(failed, policy, { exactly: 30 * HOUR })).toBe(30 * HOUR);
    expect(retryDelay(failed, policy, { exactly: 0 })).toBe(0);
    expect(retryDelay(failed, policy, { atLeast: 90_000 })).toBe(90_000);
    expect(retryDelay({ ...failed, failures: 20 }, policy, { atLeast: 5 })).toBeGreaterThan(
      HOUR / 2,
    );
    expect(retryDelay({ ...failed, failingFor: 24 * HOUR }, policy, { exactly: 1 })).toBeNull();
  });
});

describe('an event whose handler throws', () => {
  it('is retried with growing delays', async () => {
    const { seen, ...options } = failing(2);
    const retryForHours = 24;
    const started = await startedReceiver({ ...options, retryForHours });
    const { deliver, advance, problems, receiver } = started;
    await deliver(event);
    await advance(799);
    expect(seen).toEqual([1]);
    await advance(201);
    await advance(1_399);
    expect(seen).toEqual([1, 2]);
    await advance(601);
    expect(seen).toEqual([1, 2, 3]);
    expect(problems).toMatchObject([
      {
        code: 'handler_failed',
        message: expect.stringMatching(
          /^Handler "run.created" of event whev_exec_1_created of run exec_1 failed \(attempt 1, next in \d{3} ms\). RangeError: failure 1$/,
        ),
        eventId: event.id,
        runId: 'exec_1',
      },
      { code: 'handler_failed' },
    ]);
    expect((await receiver.deadLetters()).items).toEqual([]);
  });

  it('becomes a dead letter when its time is over, and is handled when it is redriven', async () => {
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
      message:
        `Handler "run.created" of event ${run[0]?.id} of run exec_1 failed for the last time (attempt 3); ` +
        'see deadLetters(). RangeError: failure 3',
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

  it('fails also with an object that cannot be read', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const { deliver, receiver, problems } = await startedReceiver({
      retryForHours: 0,
      handlers: {
        event() {
          throw proxy;
        },
      },
    });
    await deliver(event);
    const error = 'TypeError: an object that cannot be read was thrown';
    expect((await receiver.deadLetters()).items).toMatchObject([{ attempts: 1, error }]);
    expect(problems).toMatchObject([{ code: 'event_dead_lettered' }]);
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
    for (const [waits, life] of [0, 1_000, 2_000, 4_000, 8_000].map(
      (wait, index) => [wait, index + 1] as const,
    )) {
      const receiver = hanging(store, options, () => (starts += 1));
      await receiver.start();
      if (life === 1) {
        const { headers, body } = signEvent(event, { secret: SECRET, now: () => clock.now() });
        await receiver.receive({ method: 'POST', headers, body });
      } else {
        await receiver.idle();
        await clock.advance(0.8 * waits - 1);
        expect(starts).toBe(life - 1);
        await clock.advance(0.2 * waits + 1);
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
    });
    await receiver.idle();
    await clock.advance(16_000);
    await receiver.idle();
    expect(handledIds()).toEqual([]);
    const message =
      'The process ended 5 times in a row while it handled this event. See deadLetters().';
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
      // It takes longer than what the handlers have left of the time, which is not its fault.
      store: { ...store, close: () => new Promise(() => {}) },
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
    const storeTimer = clock.nextTimer(1);
    await clock.advance(5_000);
    await storeTimer;
    await clock.advance(1);
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
    await clock.advance(24_998);
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

  it('is not handled again when a read fails before its outcome is written', async () => {
    const store = memoryStore();
    let failures = 0;
    const events: Store['events'] = (...args) =>
      failures-- > 0 ? Promise.reject(new Error('disk full')) : store.events(...args);
    const [first, second, third] = runTimeline(['pending', 'running', 'completed']);
    if (first === undefined || second === undefined || third === undefined) throw new Error('3');
    const post = async (one: typeof first): Promise<void> => {
      const { headers, body } = signEvent(one, { secret: SECRET, now: () => started.clock.now() });
      await started.receiver.receive({ method: 'POST', headers, body });
    };
    const handlers = {
      pending: async () => {
        failures = 1;
        await post(third);
      },
    };
    const started = await startedReceiver(
      { store: { ...store, events }, handlers },
      { work: false },
    );
    await post(first);
    await post(second);
    await started.receiver.work();
    expect(started.handledIds()).toEqual([first.id, second.id, third.id]);
    expect(started.problems).toMatchObject([
      {
        code: 'store_unavailable',
        message: 'Handling of run exec_1 stopped and is repeated later. Error: disk full',
      },
    ]);
  });

  it('is forgotten when an event arrives that was signed thirty days later', async () => {
    const { deliver, advance } = await startedReceiver({ pollMilliseconds: 3_600_000 });
    const next = (id: string) => deliver(runCreatedEvent({ id: `whev_${id}`, run: { id } }));
    await deliver(event);
    await advance(30 * 86_400_000);
    await next('exec_next');
    await advance(3_600_000);
    expect((await deliver(event))[0]).toMatchObject({ code: 'duplicate' });
    await next('exec_later');
    await advance(3_600_000);
    expect((await deliver(event))[0]).toMatchObject({ code: 'accepted' });
  });

  it('is not forgotten by a clock that is ahead', async () => {
    const file = path.join(emptyFolder(), 'events.db');
    const clock = virtualClock();
    const delivery = signEvent(event, { secret: SECRET, now: () => clock.now() });
    const codes: string[] = [];
    for (const days of [0, 40, 0]) {
      const now = () => clock.now() + days * 86_400_000;
      const { receiver, advance } = await startedReceiver({
        store: sqliteStore({ file }),
        clock: { ...clock, now },
      });
      codes.push((await receiver.receive({ method: 'POST', ...delivery })).code);
      await advance(2 * 3_600_000);
      await receiver.idle();
      await receiver.close();
    }
    expect(codes).toEqual(['accepted', 'timestamp_too_old', 'duplicate']);
  });
});

describe('a handler that says how it failed', () => {
  it('gives an event up, with its error as the reason', async () => {
    let calls = 0;
    const { deliver, receiver, advance, problems } = await startedReceiver({
      handlers: {
        pending: () => {
          calls += 1;
          throw new GiveUp('The customer is gone.');
        },
      },
    });
    await deliver(event);
    await advance(60_000);
    expect(calls).toBe(1);
    const [letter] = (await receiver.deadLetters()).items;
    expect(letter).toMatchObject({
      reason: 'handler_failed',
      error: 'GiveUp: The customer is gone.',
      attempts: 1,
      failures: [{ handler: 'pending', error: 'GiveUp: The customer is gone.', milliseconds: 0 }],
    });
    expect(problems).toMatchObject([{ code: 'event_dead_lettered' }]);
    await receiver.redrive({ ids: [event.id] });
    await receiver.idle();
    expect(calls).toBe(2);
  });

  it('asks for another attempt later, for the last one when its time is over then', async () => {
    const seen: number[] = [];
    const { deliver, receiver, advance } = await startedReceiver({
      retryForHours: 1,
      handlers: {
        pending: (_event, { attempt }) => {
          seen.push(attempt);
          throw new RetryLater({ milliseconds: seen.length === 1 ? 600_000 : 2 * 3_600_000 });
        },
      },
    });
    await deliver(event);
    await advance(599_999);
    expect(seen).toEqual([1]);
    await advance(1);
    expect(seen).toEqual([1, 2]);
    await advance(2 * 3_600_000 - 1);
    expect(seen).toEqual([1, 2]);
    await advance(1);
    expect(seen).toEqual([1, 2, 3]);
    expect(await receiver.stats()).toMatchObject({ open: 0, dead: 1 });
  });

  it.each([-1, Number.NaN, Infinity, '5'])('refuses RetryLater of %s', (milliseconds) => {
    expect(() => new RetryLater({ milliseconds: milliseconds as number })).toThrow(TypeError);
  });
});

describe('an event that fails through a night', () => {
  it('is tried for a day, at least once an hour, and then a dead letter with its last ten failures', async () => {
    const attempts: number[] = [];
    const { deliver, receiver, advance, clock } = await startedReceiver({
      pollMilliseconds: 3_600_000,
      handlers: {
        pending: () => {
          attempts.push(clock.now());
          throw new Error(`failure ${attempts.length}`);
        },
      },
    });
    await deliver(event);
    for (let hour = 0; hour < 26; hour += 1) await advance(HOUR);
    const [first = 0] = attempts;
    const last = attempts.at(-1) ?? 0;
    expect(last - first).toBe(24 * HOUR);
    expect(
      Math.max(...attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0))),
    ).toBeLessThanOrEqual(HOUR);
    const [letter] = (await receiver.deadLetters()).items;
    expect(letter?.attempts).toBe(attempts.length);
    expect(letter?.failures.map(({ at }) => at)).toEqual(attempts.slice(-10));
    expect(letter?.firstFailedAt).toBe(first);
  });

  it('does not lose its time in a pause', async () => {
    let calls = 0;
    const { deliver, receiver, advance } = await startedReceiver({
      retryForHours: 1,
      pollMilliseconds: 60_000,
      handlers: {
        pending: () => {
          calls += 1;
          throw new Error('down');
        },
      },
    });
    await deliver(event);
    await receiver.pause('pending');
    await advance(10 * HOUR);
    expect(await receiver.stats()).toMatchObject({ open: 1, dead: 0 });
    expect(calls).toBe(1);
    await receiver.resume('pending');
    await receiver.idle();
    await advance(HOUR / 2);
    expect(await receiver.stats()).toMatchObject({ open: 1, dead: 0 });
    await advance(HOUR);
    expect(await receiver.stats()).toMatchObject({ open: 0, dead: 1 });
  });
});

/** Returns options whose handler throws this often, and the attempts that it saw. */
function failing(failures: number): Partial<ReceiverOptions> & { seen: number[] } {
  const seen: number[] = [];
  const created = (_: unknown, { attempt }: { attempt: number }) => {
    seen.push(attempt);
    if (seen.length <= failures) throw new RangeError(`failure ${seen.length}`);
  };
  return { seen, handlers: { 'run.created': created }, retryForHours: THREE_ATTEMPTS };
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
