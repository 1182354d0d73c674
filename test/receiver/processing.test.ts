import { createIngress, createProcessor, createReceiver } from '@hookproof/receiver';
import type { IncomingEvent } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { runCreatedEvent, runTimeline, signEvent } from '@hookproof/receiver/testing';
import { createVerifier } from '@hookproof/receiver/verify';
import { describe, expect, it, onTestFinished } from 'vitest';

import { SECRET, startedReceiver } from './started-receiver.ts';
import { NOON, virtualClock } from './virtual-clock.ts';

const run = runTimeline(['pending', 'running', 'completed']);
const requestOf = (event: (typeof run)[number]) => {
  const { headers, body } = signEvent(event, { secret: SECRET, now: () => NOON });
  return { method: 'POST', headers, body };
};

describe('start() and close()', () => {
  it('start once, also when the second call comes before the first has ended', async () => {
    const receiver = createReceiver({ secrets: SECRET, store: memoryStore() });
    const first = receiver.start();
    await expect(receiver.start()).rejects.toThrow('start() must be called once');
    await first;
    await receiver.close();
  });

  it('leave nothing open when close() comes during start()', async () => {
    const store = memoryStore();
    const opening: (() => void)[] = [];
    let closed = 0;
    const receiver = createReceiver({
      secrets: SECRET,
      store: {
        ...store,
        open: () => new Promise<void>((resolve) => opening.push(resolve)),
        close: async () => {
          closed += 1;
        },
      },
    });
    const starting = receiver.start();
    const closing = receiver.close();
    for (const end of opening) end();
    await Promise.all([starting, closing]);
    expect(closed).toBe(1);
    expect(await receiver.receive(requestOf(runCreatedEvent()))).toMatchObject({ code: 'closing' });
    await receiver.close();
    expect(closed).toBe(1);
  });

  it('start again after a store that could not be opened', async () => {
    const store = memoryStore();
    let failures = 1;
    const receiver = createReceiver({
      secrets: SECRET,
      store: {
        ...store,
        open: (host) => (failures-- > 0 ? Promise.reject(new Error('not yet')) : store.open(host)),
      },
    });
    await expect(receiver.start()).rejects.toThrow('not yet');
    await receiver.start();
    await receiver.close();
  });

  it('refuse a start after close()', async () => {
    const receiver = createReceiver({ secrets: SECRET, store: memoryStore() });
    await receiver.close();
    await expect(receiver.start()).rejects.toThrow('start() must be called before close().');
  });
});

describe('a receiver that only accepts', () => {
  it('handles what is due when work() is called', async () => {
    const handled: string[] = [];
    const receiver = createReceiver({
      secrets: SECRET,
      store: memoryStore(),
      clock: virtualClock(),
      handlers: { event: ({ id }) => handled.push(id) },
    });
    onTestFinished(() => receiver.close());
    await receiver.start({ work: false });
    for (const event of run) await receiver.receive(requestOf(event));
    await receiver.idle();
    expect(handled).toEqual([]);
    await receiver.work();
    expect(handled).toEqual(run.map(({ id }) => id));
    await receiver.receive(requestOf(runCreatedEvent({ id: 'whev_later' })));
    await receiver.idle();
    expect(handled).toHaveLength(3);
    await receiver.work();
    expect(handled).toHaveLength(4);
  });

  it('stops work() at the given time, and keeps the rest for the next call', async () => {
    const clock = virtualClock();
    const handled: string[] = [];
    const receiver = createReceiver({
      secrets: SECRET,
      store: memoryStore(),
      clock,
      maxConcurrentRuns: 1,
      handlers: {
        async event({ id }) {
          handled.push(id);
          await new Promise<void>((resolve) => {
            clock.setTimeout(resolve, 1_000);
          });
        },
      },
    });
    onTestFinished(() => receiver.close());
    await receiver.start({ work: false });
    for (const event of run) await receiver.receive(requestOf(event));
    const working = receiver.work({ until: clock.now() + 1_500 });
    await expect.poll(() => handled.length).toBe(1);
    await clock.advance(1_000);
    await expect.poll(() => handled.length).toBe(2);
    await clock.advance(1_000);
    await working;
    expect(handled).toHaveLength(2);
    expect(await receiver.stats()).toMatchObject({ open: 1 });
  });
});

describe('work()', () => {
  const event = runCreatedEvent({ id: 'whev_1' });

  it('leaves a receiver that was started to handle events going on', async () => {
    const { receiver, deliver, handledIds } = await startedReceiver();
    await receiver.work();
    await deliver(event);
    expect(handledIds()).toEqual(['whev_1']);
  });

  it('is not ended by another work() that ends earlier', async () => {
    const { receiver, clock, deliver, handledIds } = await startedReceiver({}, { work: false });
    const short = receiver.work({ until: clock.now() + 1 });
    const long = receiver.work({ until: clock.now() + 60_000 });
    await Promise.all([short, long]);
    await deliver(event);
    expect(handledIds()).toEqual([]);
    const first = receiver.work();
    await receiver.work({ until: clock.now() });
    await first;
    expect(handledIds()).toEqual(['whev_1']);
  });

  it('needs a receiver that is open, and a time', async () => {
    const closed = createReceiver({ secrets: SECRET, store: memoryStore() });
    await expect(closed.work()).rejects.toThrow(
      new TypeError('work() must be called after start() and before close().'),
    );
    const { receiver } = await startedReceiver({}, { work: false });
    for (const until of [Number.NaN, new Date('soon')]) {
      await expect(receiver.work({ until })).rejects.toThrow(
        'until must be a Date or milliseconds',
      );
    }
  });
});

describe('what people ask a receiver', () => {
  it('comes from the store', async () => {
    const { receiver, deliver } = await startedReceiver({
      retryForHours: 0,
      handlers: {
        running: () => {
          throw new Error('no');
        },
      },
    });
    await deliver(...run);
    expect(await receiver.stats()).toMatchObject({ open: 0, dead: 1 });
    expect(await receiver.inspect(run[1]?.id ?? '')).toMatchObject({
      state: 'dead',
      runId: 'exec_1',
      error: 'Error: no',
    });
    expect(await receiver.timeline('exec_1')).toMatchObject({
      status: 'completed',
      isUnbroken: true,
    });
    expect(await receiver.timeline('exec_unknown')).toBeNull();
    expect(await receiver.discard({ ids: [run[1]?.id ?? ''] })).toBe(1);
    expect(await receiver.stats()).toMatchObject({ dead: 0, open: 0 });
  });

  it('adds handlers after its creation, in order', async () => {
    const calls: string[] = [];
    const { receiver, deliver } = await startedReceiver({
      handlers: { completed: () => calls.push('options') },
    });
    receiver.on('completed', ({ data }) => calls.push(data.run.status));
    receiver.on('settled', ({ status }) => calls.push(`settled ${status}`));
    expect(() => receiver.on('done' as 'completed', () => {})).toThrow('Unknown handler "done"');
    await deliver(...run);
    expect(calls).toEqual(['options', 'completed', 'settled completed']);
  });
});

describe('a queue between an ingress and a processor', () => {
  it('may repeat and reorder messages', async () => {
    const clock = virtualClock();
    const queue: IncomingEvent[] = [];
    const ingress = createIngress({
      verifier: createVerifier({ secrets: SECRET, now: () => clock.now() }),
      sink: {
        async put(event) {
          queue.push({ ...event, body: new Uint8Array(event.body) });
        },
      },
      clock,
    });
    for (const event of run) {
      expect(await ingress.receive(requestOf(event))).toMatchObject({ status: 202 });
    }
    expect(
      await ingress.receive({ ...requestOf(runCreatedEvent()), body: Buffer.from('{}') }),
    ).toMatchObject({
      status: 401,
    });
    const handled: string[] = [];
    const processor = createProcessor({
      store: memoryStore(),
      clock,
      mode: 'ordered',
      handlers: { event: ({ id }) => handled.push(id) },
    });
    onTestFinished(() => processor.close());
    await processor.start();
    for (const message of [...queue, ...queue].toReversed()) {
      const { id, body, timestamp } = message;
      await processor.process({ id, body, timestamp });
    }
    await clock.advance(1_000);
    await processor.idle();
    expect(handled).toEqual(run.map(({ id }) => id));
  });

  it('tells a conflict and what is no event', async () => {
    const problems: string[] = [];
    const processor = createProcessor({
      store: memoryStore(),
      onError: ({ code }) => problems.push(code),
    });
    onTestFinished(() => processor.close());
    await processor.start();
    const body = Buffer.from('{}');
    expect(await processor.process({ id: 'whev_1', body, timestamp: 1 })).toBe('new');
    expect(await processor.process({ id: 'whev_1', body, timestamp: 2 })).toBe('duplicate');
    const other = Buffer.from('[]');
    expect(await processor.process({ id: 'whev_1', body: other, timestamp: 1 })).toBe('conflict');
    expect(problems).toEqual(['event_quarantined', 'event_id_conflict']);
    expect((await processor.deadLetters()).items).toMatchObject([{ reason: 'event_quarantined' }]);
  });
});
