import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';

import { runCreatedEvent, runTimeline, testReceiver } from '@hookproof/receiver/testing';
import type { TestReceiver, TestReceiverOptions } from '@hookproof/receiver/testing';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

async function started(options?: TestReceiverOptions): Promise<TestReceiver> {
  const app = await testReceiver(options);
  onTestFinished(() => app.close());
  return app;
}

const run = runTimeline(['pending', 'running', 'waiting', 'running', 'completed']);
const ids = run.map(({ id }) => id);
const handledIds = ({ handled }: TestReceiver) => handled.map(({ event }) => event.id);

describe('testReceiver', () => {
  it('resolves deliver() when an ordered run is handled, its graces included', async () => {
    const app = await started({ mode: 'ordered' });
    const sent = await app.deliver(run.toReversed());
    expect(sent.every(({ outcome }) => outcome === 'delivered')).toBe(true);
    expect(handledIds(app)).toEqual(ids);
    expect(app.handled.map(({ context }) => context.attempt)).toEqual([1, 1, 1, 1, 1]);
    expect(app.settled).toMatchObject([{ runId: 'exec_1', status: 'completed' }]);
    expect(app.problems).toEqual([]);
  });

  it('handles an ordered run in order, however it arrives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.integer({ min: 1, max: 3 }),
        async (shuffleSeed, copies) => {
          const app = await started({ mode: 'ordered' });
          await app.deliver(run, { shuffleSeed, copies });
          expect(handledIds(app)).toEqual(ids);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('waits for a missing event on its own clock', async () => {
    const app = await started({ mode: 'ordered', gapGraceMilliseconds: 3_600_000 });
    const before = app.clock.now();
    await app.deliver(run.filter((_event, place) => place !== 1));
    expect(handledIds(app)).toEqual([ids[0], ids[2], ids[3], ids[4]]);
    expect(app.handled[1]?.context.missing).not.toEqual([]);
    expect(app.clock.now() - before).toBeGreaterThanOrEqual(3_600_000);
  });

  it('retries a handler that throws, and then keeps a dead letter', async () => {
    let failures = 3;
    const app = await started({
      retryForHours: 2 / 3_600,
      handlers: {
        running() {
          throw new Error('the database is locked');
        },
        waiting() {
          failures -= 1;
          if (failures > 0) throw new Error('not yet');
        },
      },
    });
    await app.deliver(run.slice(0, 3));
    expect(await app.deadLetters()).toMatchObject([
      { id: ids[1], attempts: 3, error: 'Error: the database is locked' },
    ]);
    expect(app.handled.map(({ event, context }) => [event.id, context.attempt])).toEqual([
      [ids[0], 1],
      [ids[2], 3],
    ]);
    expect(app.problems.map(({ code }) => code)).toContain('event_dead_lettered');
  });

  it('reaches the deadline of a handler that never returns, by advance()', async () => {
    const signals: AbortSignal[] = [];
    const app = await started({
      handlerTimeoutMilliseconds: 5_000,
      retryForHours: 0,
      handlers: {
        async pending(_event, { signal }) {
          signals.push(signal);
          await new Promise(() => undefined);
        },
      },
    });
    const delivered = app.deliver(run.slice(0, 1));
    await expect.poll(() => signals).toHaveLength(1);
    await app.advance(5_000);
    await delivered;
    expect(signals[0]?.aborted).toBe(true);
    expect(await app.deadLetters()).toMatchObject([{ id: ids[0] }]);
  });

  it('calls handlers that are added to its receiver, and passes problems on', async () => {
    const added: string[] = [];
    const passed: string[] = [];
    const app = await started({ retryForHours: 0, onError: ({ code }) => passed.push(code) });
    app.receiver.on('created', ({ id }) => void added.push(id));
    app.receiver.on('test', () => {
      throw new Error('no test events here');
    });
    await app.deliver([
      runCreatedEvent({ run: { status: 'created' } }),
      runCreatedEvent({ id: 'whev_test', test: true }),
    ]);
    expect(added).toEqual(['whev_exec_1_created']);
    expect(passed).toEqual(['event_dead_lettered']);
    expect(app.problems.map(({ code }) => code)).toEqual(passed);
  });

  it('lets the receiver refuse what the sender sends wrongly', async () => {
    const app = await started();
    const [sent] = await app.deliver(run.slice(0, 1), { firstAttempt: { secret: 'whsec_other' } });
    expect(sent).toMatchObject({
      outcome: 'refused',
      attempts: [{ status: 401, code: 'signature_mismatch' }],
    });
    expect(app.handled).toEqual([]);
  });

  it('fails deliver() when an event stays open for more than 7 days', async () => {
    const app = await started({ mode: 'ordered', gapGraceMilliseconds: 8 * 86_400_000 });
    await expect(app.deliver(run.slice(1, 2))).rejects.toThrow(
      'Every event must be handled within 7 days of the clock, got 1 open.',
    );
  });
});

const completed = () => new Promise(() => {});

describe('a handler that never returns', () => {
  it('is at its deadline after advance(), while deliver() is not awaited', async () => {
    const app = await started({ handlers: { completed }, handlerTimeoutMilliseconds: 1_000 });
    void app.deliver(runTimeline(['pending', 'completed'])).catch(() => {});
    await app.advance(1_000);
    expect(app.problems).toMatchObject([
      { code: 'handler_slow', message: expect.stringContaining('1000 ms') },
    ]);
    expect(handledIds(app)).toEqual(['whev_exec_1_1']);
    await app.advance(1_000);
    expect(app.problems).toHaveLength(2);
  });

  it('goes on before its deadline, which advance() does not wait for', async () => {
    const app = await started({ handlers: { completed }, handlerTimeoutMilliseconds: 1_000 });
    void app.deliver(runTimeline(['completed'])).catch(() => {});
    await app.advance(999);
    expect(app.problems).toEqual([]);
    await app.advance(1);
    expect(app.problems).toMatchObject([{ code: 'handler_slow' }]);
  });
});

it('the option tx is what handlers get as context.tx', async () => {
  const queries: string[] = [];
  const tx = { query: (text: string) => void queries.push(text) };
  const app = await testReceiver({
    tx,
    handlers: {
      pending: (_event, context) => context.tx.query('INSERT'),
      completed() {
        throw new Error('no');
      },
    },
  });
  onTestFinished(() => app.close());
  await app.deliver(runTimeline(['pending', 'completed']));
  expect(queries).toEqual(['INSERT']);
  expect(app.handled).toHaveLength(1);
  expect((await app.deadLetters()).length).toBe(1);
});

it('without the option tx handlers get none', async () => {
  const seen: unknown[] = [];
  const app = await started({ handlers: { event: (_event, { tx }) => void seen.push(tx) } });
  await app.deliver(run.slice(0, 1));
  expect(seen).toEqual([undefined]);
});

/** Another instance of the kit. The whole path of a source does not lead to its compiled module. */
async function anotherKit(): Promise<typeof testReceiver> {
  const source = new URL('../../receiver/src/testing/index.ts', import.meta.url);
  const kit: { readonly testReceiver: typeof testReceiver } = await import(source.pathname);
  expect(kit.testReceiver).not.toBe(testReceiver);
  return kit.testReceiver;
}

it.each([
  ['was imported before', () => testReceiver],
  ['is imported after', anotherKit],
])('fake timers, also those of Sinon, do not stop it when it %s', async (_when, kit) => {
  const { setImmediate } = timers;
  vi.useFakeTimers();
  Object.assign(timers, { setImmediate() {} });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.useRealTimers();
    Object.assign(timers, { setImmediate });
    syncBuiltinESMExports();
  });
  const start = await kit();
  const app = await start({ mode: 'ordered' });
  await app.deliver(run.toReversed());
  expect(app.handled.map(({ event }) => event.id)).toEqual(ids);
  await app.close();
});

it.each(['setImmediate', 'TextEncoder'])(
  'an environment without %s, as jsdom of Jest, is refused with what to set',
  async (name) => {
    vi.stubGlobal(name, undefined);
    onTestFinished(() => void vi.unstubAllGlobals());
    Reflect.deleteProperty(globalThis, name);
    await expect(testReceiver()).rejects.toThrow(
      `A receiver needs the environment of Node.js, but ${name} is missing, as in jsdom. Use the environment node`,
    );
  },
);
