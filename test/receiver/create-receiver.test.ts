import { AsyncLocalStorage } from 'node:async_hooks';

import { createProcessor, createReceiver } from '@hookproof/receiver';
import type { Handlers, Problem, Receiver, ReceiverOptions, Store } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { runCreatedEvent, runTimeline, signEvent } from '@hookproof/receiver/testing';
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';

import { SECRET, startedReceiver } from './started-receiver.ts';
import { NOON, virtualClock } from './virtual-clock.ts';

const options: ReceiverOptions = { secrets: SECRET, store: memoryStore(), handlers: {} };
const { headers, body } = signEvent(runCreatedEvent(), { secret: SECRET, now: () => NOON });
const request = { method: 'POST', headers, body };

describe('createReceiver', () => {
  it('responds with 503 before start(), and starts once', async () => {
    const problems: Problem[] = [];
    const onError = (problem: Problem): void => void problems.push(problem);
    const receiver = createReceiver({ ...options, clock: virtualClock(), onError });
    for (let delivery = 1; delivery <= 3; delivery += 1) {
      expect(await receiver.receive(request)).toMatchObject({ status: 503, code: 'not_started' });
    }
    expect(problems).toMatchObject([
      { code: 'not_started', message: expect.stringContaining('`await receiver.start()`') },
    ]);
    await receiver.start();
    expect(await receiver.receive(request)).toMatchObject({ status: 202 });
    await expect(receiver.start()).rejects.toThrow(
      new TypeError('start() must be called once, got a second call.'),
    );
    await receiver.close();
    await receiver.close();
  });

  it('accepts a tolerance of zero and any of several secrets', async () => {
    const secrets = ['whsec_other', SECRET];
    const { receiver, clock } = await startedReceiver({ secrets, toleranceSeconds: 0 });
    expect(await receiver.receive(request)).toMatchObject({ code: 'accepted' });
    await clock.advance(1_000);
    expect(await receiver.receive(request)).toMatchObject({ code: 'timestamp_too_old' });
  });

  it('is refused in a Cloudflare Worker, where nothing would handle what it accepts', () => {
    vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' });
    onTestFinished(() => void vi.unstubAllGlobals());
    const expected =
      /a Cloudflare Worker ends with it\. Verify there with @hookproof\/receiver\/verify-web/;
    expect(() => createReceiver(options)).toThrow(expected);
    expect(() => createProcessor({ store: memoryStore() })).toThrow(expected);
  });
});

describe('handlers', () => {
  it.each<[string, (receiver: Receiver) => Promise<void>]>([
    ['of a delivery', async () => {}],
    ['of replay()', async (receiver) => void (await receiver.replay({}))],
    ['of resume()', async (receiver) => receiver.pause().then(() => receiver.resume())],
  ])('do not see the AsyncLocalStorage %s', async (_, then) => {
    const requests = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const receiver = createReceiver({
      ...options,
      store: memoryStore(),
      keepBodiesDays: 1,
      handlers: { event: () => void seen.push(requests.getStore()) },
    });
    await receiver.start();
    onTestFinished(() => receiver.close());
    for (const id of ['exec_1', 'exec_2']) {
      await requests.run(id, async () => {
        for (const event of runTimeline(['pending', 'running', 'completed'], { run: { id } })) {
          await receiver.receive({ method: 'POST', ...signEvent(event, { secret: SECRET }) });
        }
        await then(receiver);
        await receiver.idle();
      });
    }
    expect(seen.length).toBeGreaterThanOrEqual(6);
    expect(new Set(seen)).toEqual(new Set([undefined]));
  });

  it('are looked up when they are called, so that a changed object needs no restart', async () => {
    const seen: string[] = [];
    const handlers: Handlers = { pending: () => void seen.push('before') };
    const own = createReceiver({ ...options, store: memoryStore(), handlers });
    await own.start();
    onTestFinished(() => own.close());
    const send = async (id: string) => {
      const event = runCreatedEvent({ run: { id } });
      await own.receive({ method: 'POST', ...signEvent(event, { secret: SECRET }) });
      await own.idle();
    };
    await send('exec_1');
    Object.assign(handlers, { pending: () => void seen.push('after') });
    await send('exec_2');
    expect(seen).toEqual(['before', 'after']);
  });

  it('get the transaction of their store as its type', () => {
    interface Client {
      query(text: string): void;
    }
    const store = { ...memoryStore() } as unknown as Store<Client>;
    createReceiver({
      ...options,
      store,
      handlers: {
        completed: (_event, { tx }) => expectTypeOf(tx).toEqualTypeOf<Client>(),
      },
    });
    const common: Handlers = {
      failed: (_event, { tx }) => expectTypeOf(tx).toEqualTypeOf<unknown>(),
    };
    createReceiver({ ...options, store, handlers: common });
  });
});

describe('close()', () => {
  it('spends closeTimeoutMilliseconds once, on the handlers and on the store', async () => {
    const { receiver, clock, deliver } = await startedReceiver({
      store: { ...memoryStore(), close: () => new Promise(() => {}) },
      closeTimeoutMilliseconds: 5_000,
      handlers: { pending: () => new Promise(() => {}) },
    });
    void deliver(runCreatedEvent());
    await clock.advance(0);
    let isClosed = false;
    void receiver.close().then(() => (isClosed = true));
    await clock.advance(5_001);
    expect(isClosed).toBe(true);
  });

  it('does not wait longer for a store that never opens', async () => {
    const clock = virtualClock();
    const store = { ...memoryStore(), open: () => new Promise<void>(() => {}) };
    const receiver = createReceiver({ ...options, store, clock, closeTimeoutMilliseconds: 5_000 });
    void receiver.start();
    let isClosed = false;
    void receiver.close().then(() => (isClosed = true));
    await clock.advance(5_000);
    expect(isClosed).toBe(true);
  });
});
