import { createReceiver } from '@hookproof/receiver';
import type { Store } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';
import { expect, it } from 'vitest';

import { pendingUntilTheEnd, SECRET, startedReceiver } from '../started-receiver.ts';
import { virtualClock } from '../virtual-clock.ts';
import type { VirtualClock } from '../virtual-clock.ts';

const LEASE = 30_000;
const runs = Array.from({ length: 12 }, (_, index) => `exec_${index}`);
const GUILTY = 'exec_7';

const never = (): Promise<never> => new Promise(() => {});

/** A process that ends as soon as it handles the guilty event: nothing of it goes on. */
async function liveUntilCrash(store: Store, clock: VirtualClock, started: string[]): Promise<void> {
  let hasCrashed = false;
  const dying: Store = {
    ...store,
    take: (request) => (hasCrashed ? never() : store.take(request)),
    finish: (...finished) => (hasCrashed ? never() : store.finish(...finished)),
    renew: (...renewed) => (hasCrashed ? never() : store.renew(...renewed)),
  };
  const receiver = createReceiver({
    secrets: SECRET,
    store: dying,
    clock,
    leaseMilliseconds: LEASE,
    handlers: {
      event: ({ data }) => {
        started.push(data.run.id);
        if (data.run.id !== GUILTY) return undefined;
        hasCrashed = true;
        return never();
      },
    },
  });
  await receiver.start();
  await expect.poll(() => hasCrashed).toBe(true);
  clock.stopTimers();
  await clock.advance(LEASE);
}

it('sets aside only the event that ends its process, and handles all others', async () => {
  const store = memoryStore();
  const clock = virtualClock();
  const accepting = await startedReceiver({ store, clock }, { work: false });
  for (const id of runs) {
    const event = runCreatedEvent({ id: `whev_${id}`, run: { id } });
    const { headers, body } = signEvent(event, { secret: SECRET, now: () => clock.now() });
    await accepting.receiver.receive({ method: 'POST', headers, body });
  }
  const started: string[] = [];
  for (let life = 1; life <= 4; life += 1) await liveUntilCrash(store, clock, started);
  const { receiver, handled, problems } = await startedReceiver({ store, clock });
  await receiver.idle();
  const { items } = await receiver.deadLetters();
  expect(items).toMatchObject([{ id: `whev_${GUILTY}`, reason: 'event_poisoned', attempts: 0 }]);
  expect(problems.map(({ code }) => code)).toEqual(['event_poisoned']);
  const all = [...started, ...handled.map(({ event }) => event.data.run.id)];
  for (const id of runs) expect(all).toContain(id);
  expect((await receiver.stats()).open).toBe(0);
});

it('does not count the end of a process against the events beside the guilty one', async () => {
  const store = memoryStore();
  const clock = virtualClock();
  const ids = ['whev_a', 'whev_b'];
  const hanging = await startedReceiver({
    store: { ...store, renew: () => new Promise(() => {}) },
    clock,
    handlers: { event: () => pendingUntilTheEnd() },
  });
  for (const id of ids) {
    const event = runCreatedEvent({ id, run: { id: `exec_${id}` } });
    const { headers, body } = signEvent(event, { secret: SECRET, now: () => clock.now() });
    await hanging.receiver.receive({ method: 'POST', headers, body });
  }
  await expect.poll(async () => (await store.stats()).inHand).toBe(2);
  clock.stopTimers();
  await clock.advance(LEASE);
  const [suspect, ...others] = await store.take({
    holder: 'next',
    inHand: [],
    limit: 10,
    leaseFor: LEASE,
  });
  expect(others).toEqual([]);
  expect(suspect).toMatchObject({ isSuspect: true, open: [{ starts: 0 }] });
});
