import type { HandlingContext } from '@hookproof/receiver';
import { runCreatedEvent } from '@hookproof/receiver/testing';
import { describe, expect, it } from 'vitest';

import { pendingUntilTheEnd, startedReceiver } from '../started-receiver.ts';

const events = Array.from({ length: 40 }, (_, index) =>
  runCreatedEvent({ id: `whev_${index}`, run: { id: `exec_${index}` } }),
);

describe('a handler that does not end', () => {
  it('is aborted at its deadline, reported and retried, and holds up no other event', async () => {
    const signals: AbortSignal[] = [];
    const hangs = new Set(events.slice(0, 16).map(({ id }) => id));
    const { receiver, deliver, clock, handled, problems } = await startedReceiver({
      handlerTimeoutMilliseconds: 5_000,
      retryForHours: 0.0001,
      handlers: {
        'run.created': ({ id }, { signal }: HandlingContext) => {
          if (!hangs.has(id)) return undefined;
          signals.push(signal);
          return pendingUntilTheEnd();
        },
      },
    });
    for (const event of events) void deliver(event);
    await expect.poll(async () => (await receiver.stats()).inHand).toBe(16);
    expect(signals.map(({ aborted }) => aborted)).toEqual(signals.map(() => false));
    await clock.advance(5_000);
    await expect.poll(() => handled.length).toBeGreaterThanOrEqual(40);
    expect(signals.slice(0, 16).map(({ aborted }) => aborted)).toEqual(Array(16).fill(true));
    expect(problems[0]).toMatchObject({
      code: 'handler_slow',
      message:
        'Handler "run.created" of event whev_0 of run exec_0 did not finish (attempt 1, next in 360 ms). ' +
        'HandlerTimeout: Handlers must finish within 5000 ms (handlerTimeoutMilliseconds). A call that ignores ' +
        'context.signal goes on beside later ones: pass it on, or raise the limit.',
    });
    await clock.advance(1_000);
    await clock.advance(5_000);
    await expect.poll(async () => (await receiver.deadLetters()).items.length).toBe(16);
    expect((await receiver.stats()).open).toBe(0);
  });

  it('limits fetchRun too', async () => {
    const [event] = events;
    if (event === undefined) throw new Error('no event');
    const large = structuredClone(event);
    large.data.run.outputOmitted = true;
    let signal: AbortSignal | undefined;
    const { deliver, advance, problems, handled } = await startedReceiver({
      handlerTimeoutMilliseconds: 5_000,
      fetchRun: (_runId, _event, options) => {
        signal = options.signal;
        return new Promise(() => {});
      },
    });
    void deliver(large);
    await expect.poll(() => signal).toBeDefined();
    await advance(5_000);
    expect(signal?.aborted).toBe(true);
    expect(problems.map(({ code }) => code)).toEqual(['handler_slow']);
    expect(handled).toEqual([]);
  });
});

describe('what a handler throws', () => {
  const unprintable: readonly [string, unknown][] = [
    ['an object without a prototype', Object.create(null)],
    [
      'a proxy that throws',
      new Proxy(() => {}, {
        get() {
          throw new Error('no');
        },
      }),
    ],
    ['undefined', undefined],
    ['a symbol', Symbol('x')],
  ];

  it.each(unprintable)('counts as a failure: %s', async (_name, thrown) => {
    const [event] = events;
    if (event === undefined) throw new Error('no event');
    const { deliver, problems, receiver } = await startedReceiver({
      retryForHours: 0,
      handlers: {
        event: () => {
          throw thrown;
        },
      },
    });
    await deliver(event);
    expect(problems.map(({ code }) => code)).toEqual(['event_dead_lettered']);
    expect((await receiver.deadLetters()).items).toMatchObject([{ reason: 'handler_failed' }]);
  });
});
