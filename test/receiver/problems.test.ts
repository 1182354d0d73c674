import { setImmediate } from 'node:timers/promises';

import type { Problem } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { runCreatedEvent } from '@hookproof/receiver/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { startedReceiver } from './started-receiver.ts';

const event = (index: number) =>
  runCreatedEvent({ id: `whev_${index}`, run: { id: `exec_${index}` } });

const failing = (): void => Promise.reject(new Error('the log is down')) as unknown as void;

describe('problems', () => {
  it('of a store that is down are reported once a minute, with their number', async () => {
    const { deliver, advance, problems } = await startedReceiver({
      store: {
        ...memoryStore(),
        accept: () => Promise.reject(new Error('down')),
        take: () => Promise.reject(new Error('down')),
      },
    });
    for (let index = 0; index < 50; index += 1) {
      expect((await deliver(event(index)))[0]).toMatchObject({ status: 503 });
    }
    expect(problems).toHaveLength(1);
    await advance(60_000);
    await deliver(event(50));
    const codes = new Set(problems.map(({ code }) => code));
    expect(codes).toEqual(new Set(['store_unavailable']));
    expect(problems).toHaveLength(2);
    expect(problems[1]?.count).toBeGreaterThanOrEqual(50);
  });

  it('of single events are reported a hundred times a minute at most', async () => {
    const { deliver, advance, problems } = await startedReceiver({
      retryForHours: 0,
      handlers: {
        event: () => {
          throw new Error('no');
        },
      },
    });
    for (let index = 0; index < 120; index += 1) await deliver(event(index));
    expect(problems).toHaveLength(100);
    await advance(60_000);
    await deliver(event(120));
    expect(problems).toHaveLength(101);
    expect(problems[100]).toMatchObject({ code: 'event_dead_lettered', count: 21 });
  });

  it('that onError cannot take stop nothing', async () => {
    const seen: Problem[] = [];
    const { deliver } = await startedReceiver({
      retryForHours: 0,
      onError: (problem) => {
        seen.push(problem);
        throw new Error('the log is down');
      },
      handlers: {
        event: () => {
          throw new Error('no');
        },
      },
    });
    await deliver(event(1), event(2));
    expect(seen).toHaveLength(2);
  });

  it('that an asynchronous onError cannot take do not end the process', async () => {
    const rejections: unknown[] = [];
    const note = (reason: unknown): void => void rejections.push(reason);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    const { receiver } = await startedReceiver({
      onError: failing,
    });
    await receiver.receive({ method: 'POST', headers: {}, body: new Uint8Array(1) });
    await setImmediate();
    await setImmediate();
    expect(rejections).toEqual([]);
  });

  it('of a store that leaves the worker without a result are reported', async () => {
    const { clock, problems } = await startedReceiver({
      store: { ...memoryStore(), take: () => new Promise(() => {}) },
      leaseMilliseconds: 30_000,
    });
    await setImmediate();
    await setImmediate();
    await clock.advance(30_000);
    expect(problems).toMatchObject([
      {
        code: 'store_unavailable',
        message: expect.stringContaining(
          'Store must respond within 30000 ms (leaseMilliseconds), got no result.',
        ),
      },
    ]);
  });
});
