import type { Problem } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { runCreatedEvent } from '@hookproof/receiver/testing';
import { describe, expect, it } from 'vitest';

import { startedReceiver } from './started-receiver.ts';

const event = (index: number) =>
  runCreatedEvent({ id: `whev_${index}`, run: { id: `run_${index}` } });

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
      maxAttempts: 1,
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
      maxAttempts: 1,
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
});
