import { memoryStore } from '@hookproof/receiver/memory';
import { runCreatedEvent, runTimeline } from '@hookproof/receiver/testing';
import { describe, expect, it } from 'vitest';

import { pendingUntilTheEnd, startedReceiver } from '../started-receiver.ts';
import { virtualClock } from '../virtual-clock.ts';

const event = runCreatedEvent();

describe('a lease', () => {
  it('does not end when the clock of the machine is set forward', async () => {
    let offset = 0;
    const clock = virtualClock();
    let running = 0;
    let most = 0;
    const finish: (() => void)[] = [];
    const { deliver, advance } = await startedReceiver({
      clock: { ...clock, now: () => clock.now() + offset },
      handlers: {
        event: async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise<void>((resolve) => finish.push(resolve));
          running -= 1;
        },
      },
    });
    void deliver(event);
    await expect.poll(() => running).toBe(1);
    offset = 3_600_000;
    await clock.advance(20_000);
    expect(most).toBe(1);
    for (const end of finish) end();
    await expect.poll(() => running).toBe(0);
    await advance(1_000);
    expect(most).toBe(1);
  });

  it('that expired during a pause of the process is not taken again by the same process', async () => {
    const clock = virtualClock();
    let running = 0;
    let most = 0;
    const { deliver } = await startedReceiver({
      // A suspended process renews nothing.
      store: { ...memoryStore(), renew: () => new Promise(() => {}) },
      clock,
      handlers: {
        event: () => {
          running += 1;
          most = Math.max(most, running);
          return pendingUntilTheEnd();
        },
      },
    });
    void deliver(event);
    await expect.poll(() => running).toBe(1);
    await clock.advance(45_000);
    expect(most).toBe(1);
  });

  it('that begins before the result of the former release arrives is held', async () => {
    const store = memoryStore();
    const [first, second] = runTimeline(['pending', 'running'], { run: { id: 'exec_1' } });
    const leases: (() => void)[] = [];
    const begun: string[] = [];
    const { deliver } = await startedReceiver({
      store: {
        ...store,
        take: async (request) => {
          const taken = await store.take(request);
          if (taken.jobs.length > 0) for (const lease of leases.splice(0)) setImmediate(lease);
          return taken;
        },
        finish: async (lease, outcomes, next) => {
          const finished = await store.finish(lease, outcomes, next);
          if (next.do === 'release' && begun.length === 1)
            await new Promise<void>((resolve) => leases.push(resolve));
          return finished;
        },
      },
      mode: 'ordered',
      roundTripGraceMilliseconds: 0,
      handlers: {
        event: ({ id }) => {
          begun.push(id);
          return id === second?.id ? pendingUntilTheEnd() : undefined;
        },
      },
    });
    void deliver(first ?? expect.unreachable());
    await expect.poll(() => leases.length).toBe(1);
    void deliver(second ?? expect.unreachable());
    await expect.poll(() => begun.length).toBe(2);
    void deliver(runCreatedEvent({ run: { id: 'exec_2' } }));
    await expect.poll(() => begun.length).toBeGreaterThan(2);
    expect(begun.filter((id) => id === second?.id)).toHaveLength(1);
  });

  it('that another process took aborts the handler, writes nothing, and is reported once', async () => {
    const store = memoryStore();
    const signals: AbortSignal[] = [];
    const { deliver, clock, problems } = await startedReceiver({
      store: { ...store, renew: async () => false },
      handlers: {
        event: (_event, { signal }) => {
          signals.push(signal);
          return pendingUntilTheEnd();
        },
      },
    });
    void deliver(event);
    await expect.poll(() => signals.length).toBe(1);
    await clock.advance(10_000);
    expect(signals[0]?.aborted).toBe(true);
    expect(problems).toMatchObject([
      {
        code: 'lease_lost',
        count: 1,
        message:
          'Lease of run exec_1 must be held until it is handled, but the store gave it to ' +
          'another holder. It is handled again. Check the connection to the store and pauses of this ' +
          'process, or raise leaseMilliseconds.',
        runId: 'exec_1',
      },
    ]);
    const { items } = await store.list({ ids: [event.id] }, { after: null, limit: 1 });
    expect(items).toMatchObject([{ state: 'open', attempts: 0 }]);
  });

  it('that the store leaves without a renewal aborts the handler when it ends', async () => {
    const signals: AbortSignal[] = [];
    const { deliver, clock, problems } = await startedReceiver({
      store: { ...memoryStore(), renew: () => new Promise(() => {}) },
      leaseMilliseconds: 30_000,
      handlers: {
        event: (_event, { signal }) => {
          signals.push(signal);
          return pendingUntilTheEnd();
        },
      },
    });
    void deliver(event);
    await expect.poll(() => signals.length).toBe(1);
    await clock.advance(29_999);
    expect(signals[0]?.aborted).toBe(false);
    await clock.advance(1);
    expect(signals[0]?.aborted).toBe(true);
    expect(problems[0]).toMatchObject({ code: 'lease_lost' });
  });

  it('of a receiver that closes without waiting any longer aborts the handler', async () => {
    let signal: AbortSignal | undefined;
    const { deliver, receiver, clock } = await startedReceiver({
      closeTimeoutMilliseconds: 5_000,
      handlers: {
        event: (_event, context) => {
          ({ signal } = context);
          return pendingUntilTheEnd();
        },
      },
    });
    void deliver(event);
    await expect.poll(() => signal).toBeDefined();
    const timer = clock.nextTimer(5_000);
    const closed = receiver.close();
    await timer;
    await clock.advance(5_000);
    await closed;
    expect(signal?.aborted).toBe(true);
  });
});
