import { createProcessor } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { runCreatedEvent, runTimeline } from '@hookproof/receiver/testing';
import { describe, expect, it } from 'vitest';

import { startedReceiver } from '../started-receiver.ts';
import { untyped } from '../verify-delivery.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const run = runTimeline(['pending', 'running', 'completed']);
const ids = run.map(({ id }) => id);

describe('a handled event', () => {
  it('is replayed with the same id, and its handler knows', async () => {
    const { receiver, deliver, handled } = await startedReceiver({ keepBodiesDays: 7 });
    const event = runCreatedEvent({ id: 'whev_1' });
    await deliver(event);
    expect(await receiver.replay({ ids: ['whev_1'] }, { dryRun: true })).toBe(1);
    await receiver.idle();
    expect(handled.length).toBe(1);
    expect(await receiver.replay({ ids: ['whev_1'] })).toBe(1);
    await receiver.idle();
    expect(handled.map((one) => one.event)).toEqual([event, event]);
    expect(handled.map(({ isReplay }) => isReplay)).toEqual([false, true]);
    expect(handled[1]).toMatchObject({ attempt: 1, order: 'unproven' });
    const [response] = await deliver(event);
    expect(response?.status).toBe(200);
    expect(handled.length).toBe(2);
  });

  it('is not replayed without keepBodiesDays, nor when they are over', async () => {
    const without = await startedReceiver();
    await without.deliver(...run);
    expect(await without.receiver.replay({})).toBe(0);
    const { receiver, deliver, clock } = await startedReceiver({
      keepBodiesDays: 1,
      pollMilliseconds: HOUR,
    });
    await deliver(runCreatedEvent({ id: 'whev_1' }));
    const keptUntil = (await receiver.inspect('whev_1'))?.keptUntil;
    expect(keptUntil).toBe(clock.now() + DAY);
    await clock.advance(DAY);
    expect(await receiver.replay({})).toBe(0);
    await deliver(runCreatedEvent({ id: 'whev_2' }));
    expect((await receiver.inspect('whev_1'))?.keptUntil).toBeNull();
    expect(await receiver.replay({})).toBe(1);
  });

  it('loses its kept body when its time is over, without another delivery', async () => {
    const { receiver, deliver, clock } = await startedReceiver({
      keepBodiesDays: 1,
      pollMilliseconds: HOUR,
    });
    await deliver(runCreatedEvent({ id: 'whev_1' }));
    const isKept = async () => (await receiver.inspect('whev_1'))?.keptUntil !== null;
    await clock.advance(DAY - HOUR / 2);
    expect(await isKept()).toBe(true);
    await clock.advance(2 * HOUR);
    expect(await isKept()).toBe(false);
  });

  it('becomes a dead letter when its handler fails on the replay, and is redriven as a replay', async () => {
    const seen: boolean[] = [];
    const { receiver, deliver } = await startedReceiver({
      keepBodiesDays: 7,
      retryForHours: 0,
      handlers: {
        event: (_event, { isReplay }) => {
          seen.push(isReplay);
          if (seen.length === 2) throw new Error('again');
        },
      },
    });
    await deliver(runCreatedEvent({ id: 'whev_1' }));
    await receiver.replay({});
    await receiver.idle();
    expect((await receiver.deadLetters()).items).toMatchObject([
      { id: 'whev_1', attempts: 1, isReplay: true },
    ]);
    expect(await receiver.replay({})).toBe(0);
    expect(await receiver.redrive({})).toBe(1);
    await receiver.idle();
    expect(seen).toEqual([false, true, true]);
    expect(await receiver.replay({}, { dryRun: true })).toBe(1);
  });

  it('waits for its handler while it is paused', async () => {
    const { receiver, deliver, handledIds, advance } = await startedReceiver({ keepBodiesDays: 7 });
    await deliver(runCreatedEvent({ id: 'whev_1' }));
    await receiver.pause();
    expect(await receiver.replay({})).toBe(1);
    await advance(60_000);
    expect((await receiver.waiting()).items).toMatchObject([
      { id: 'whev_1', why: 'paused', isReplay: true },
    ]);
    await receiver.resume();
    await receiver.idle();
    expect(handledIds()).toEqual(['whev_1', 'whev_1']);
  });
});

describe('a handled run', () => {
  it('is replayed in order, and settled again', async () => {
    const { receiver, deliver, advance, handledIds, settled } = await startedReceiver({
      mode: 'ordered',
      keepBodiesDays: 7,
    });
    await deliver(...run.toReversed());
    await advance(120_000);
    expect(handledIds()).toEqual(ids);
    expect(await receiver.replay({ runId: 'exec_1' })).toBe(3);
    await receiver.idle();
    expect(handledIds()).toEqual([...ids, ...ids]);
    expect(settled).toMatchObject([{ runId: 'exec_1' }, { runId: 'exec_1', status: 'completed' }]);
  });

  it('is settled again only with the event that settled it', async () => {
    const { receiver, deliver, settled } = await startedReceiver({ keepBodiesDays: 7 });
    await deliver(...run);
    expect(settled.length).toBe(1);
    await receiver.replay({ handler: 'running' });
    await receiver.idle();
    expect(settled.length).toBe(1);
    await receiver.replay({ handler: 'completed' });
    await receiver.idle();
    expect(settled.length).toBe(2);
  });

  it('handles its replays before its later events', async () => {
    const { receiver, deliver, advance, handledIds } = await startedReceiver({
      mode: 'ordered',
      keepBodiesDays: 7,
    });
    const [first, second, third] = run;
    if (!first || !second || !third) throw new Error('A run must have three events.');
    await deliver(first, second);
    await advance(120_000);
    await receiver.pause();
    await deliver(third);
    await receiver.replay({ ids: [first.id] });
    await receiver.resume();
    await advance(120_000);
    expect(handledIds()).toEqual([first.id, second.id, first.id, third.id]);
  });
});

it('refuses a wrong filter, and a misspelled dry run', async () => {
  const { receiver } = await startedReceiver({ keepBodiesDays: 7 });
  const replayWith = (filter: unknown, options?: unknown) => () =>
    receiver.replay(untyped(filter), untyped(options));
  await expect(replayWith({ handler: 'done' })).rejects.toThrow(/^handler must be the status/);
  await expect(replayWith({ since: 'today' })).rejects.toThrow(/^since must be a Date/);
  await expect(replayWith({ run: 'exec_1' })).rejects.toThrow(/Did you mean runId\?/);
  await expect(replayWith({}, { dryrun: true })).rejects.toThrow(/Did you mean dryRun\?/);
  expect(await receiver.replay({ runId: 'not a run\0' })).toBe(0);
});

const keptTooLong = () =>
  createProcessor({ store: memoryStore(), retentionDays: 5, keepBodiesDays: 6 });

it('keeps bodies at most as long as events are remembered', () => {
  expect(keptTooLong).toThrow(
    'keepBodiesDays must be at most retentionDays (5), got 6. An event is forgotten with its body: raise retentionDays.',
  );
});
