import { createReceiver } from '@hookproof/receiver';
import type { Mode, Receiver, Store } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { runCreatedEvent, runTimeline, signEvent } from '@hookproof/receiver/testing';
import type { RunEvent } from '@hookproof/spec';
import { describe, expect, it } from 'vitest';

import { pendingUntilTheEnd, SECRET, startedReceiver } from '../started-receiver.ts';
import { virtualClock } from '../virtual-clock.ts';
import type { VirtualClock } from '../virtual-clock.ts';

const LEASE = 30_000;

const never = (): Promise<never> => new Promise(() => {});

interface Machine {
  readonly store: Store;
  readonly clock: VirtualClock;
  readonly mode: Mode;
}

/** Accepts events that no process handles yet. */
async function accepted(events: readonly RunEvent[], mode: Mode = 'live'): Promise<Machine> {
  const machine = { store: memoryStore(), clock: virtualClock(), mode };
  const accepting = await startedReceiver(
    { ...machine, store: { ...machine.store } },
    { work: false },
  );
  for (const event of events) {
    const { headers, body } = signEvent(event, { secret: SECRET, now: () => machine.clock.now() });
    await accepting.receiver.receive({ method: 'POST', headers, body });
  }
  return machine;
}

/** Starts a process that ends as soon as it handles one of these events: nothing of it goes on. */
async function liveUntilCrash(
  { store, clock, mode }: Machine,
  isGuilty: (event: RunEvent) => boolean,
): Promise<readonly string[]> {
  const started: string[] = [];
  let hasCrashed = false;
  const dying: Store = {
    ...store,
    take: (request) => (hasCrashed ? never() : store.take(request)),
    begin: (...begun) => (hasCrashed ? never() : store.begin(...begun)),
    finish: (...finished) => (hasCrashed ? never() : store.finish(...finished)),
    renew: (...renewed) => (hasCrashed ? never() : store.renew(...renewed)),
  };
  const receiver = createReceiver({
    secrets: SECRET,
    store: dying,
    clock,
    mode,
    leaseMilliseconds: LEASE,
    handlers: {
      event: (event) => {
        started.push(event.id);
        if (!isGuilty(event)) return undefined;
        hasCrashed = true;
        return never();
      },
    },
    onError: () => {},
  });
  await receiver.start();
  await pass(clock, () => hasCrashed);
  clock.stopTimers();
  await clock.advance(LEASE);
  return started;
}

/** Lets time pass until something has happened. */
async function pass(clock: VirtualClock, hasHappened: () => boolean | Promise<boolean>) {
  await expect
    .poll(async () => {
      const isThere = await hasHappened();
      if (!isThere) await clock.advance(500);
      return isThere;
    })
    .toBe(true);
}

const isDone = (receiver: Receiver) => async () => (await receiver.stats()).open === 0;

describe('after a crash', () => {
  it('sets aside only the event that ends its process, and handles all others', async () => {
    const runs = Array.from({ length: 12 }, (_, index) => `exec_${index}`);
    const machine = await accepted(
      runs.map((id) => runCreatedEvent({ id: `whev_${id}`, run: { id } })),
    );
    const started: string[] = [];
    for (let life = 1; life <= 5; life += 1) {
      started.push(...(await liveUntilCrash(machine, ({ id }) => id === 'whev_exec_7')));
    }
    const { receiver, handledIds, problems } = await startedReceiver(machine);
    await pass(machine.clock, isDone(receiver));
    const { items } = await receiver.deadLetters();
    expect(items).toMatchObject([{ id: 'whev_exec_7', reason: 'event_poisoned', attempts: 0 }]);
    expect(problems.map(({ code }) => code)).toEqual(['event_poisoned']);
    expect(new Set([...started, ...handledIds()])).toEqual(new Set(runs.map((id) => `whev_${id}`)));
  });

  it('handles an event whose process was ended three times from outside', async () => {
    const machine = await accepted([runCreatedEvent({ id: 'whev_1' })]);
    for (let life = 1; life <= 3; life += 1) await liveUntilCrash(machine, () => true);
    const { receiver, handledIds } = await startedReceiver(machine);
    await pass(machine.clock, isDone(receiver));
    expect(handledIds()).toEqual(['whev_1']);
  });

  it('goes on with the other events of the run at once, and with the one in hand after a second', async () => {
    const run = runTimeline(['pending', 'running', 'completed']);
    const [first = '', second = '', third = ''] = run.map(({ id }) => id);
    const machine = await accepted(run);
    await liveUntilCrash(machine, ({ id }) => id === first);
    const { receiver, handledIds } = await startedReceiver(machine);
    await receiver.idle();
    expect(handledIds()).toEqual([second, third]);
    await machine.clock.advance(1_000);
    await receiver.idle();
    expect(handledIds()).toEqual([second, third, first]);
  });

  it.each(['live', 'ordered'] as const)(
    'handles one suspect at a time, and other runs beside it (%s)',
    async (mode) => {
      const created = ['exec_1', 'exec_2'].map((id) =>
        runCreatedEvent({ id: `whev_${id}`, run: { id } }),
      );
      const machine = await accepted(created, mode);
      const begun = await liveUntilCrash(machine, () => true);
      expect(begun).toEqual(['whev_exec_1', 'whev_exec_2']);
      const started: string[] = [];
      const { receiver } = await startedReceiver({
        ...machine,
        handlers: {
          event: ({ id }) => {
            started.push(id);
            return id === 'whev_other' ? undefined : pendingUntilTheEnd();
          },
        },
      });
      await pass(machine.clock, () => started.length === 1);
      const other = runCreatedEvent({ id: 'whev_other', run: { id: 'exec_3' } });
      const now = () => machine.clock.now();
      const { headers, body } = signEvent(other, { secret: SECRET, now });
      await receiver.receive({ method: 'POST', headers, body });
      await pass(machine.clock, () => started.includes('whev_other'));
      await machine.clock.advance(10_000);
      expect(started).toEqual([expect.stringMatching(/^whev_exec_[12]$/), 'whev_other']);
    },
  );
});
