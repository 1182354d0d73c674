import { realClock } from '@hookproof/server-reference';
import type { Clock } from '@hookproof/server-reference';
import { expect, test } from 'vitest';

import { Schedule } from '../../../server-reference/src/clock/schedule.ts';
import { startControlled } from '../lab/control/control-client.ts';
import { listenAt, statuses } from '../events/endpoint-listener.ts';

const HOUR = 3_600_000;

/** The clock of this machine, which a test can set. */
function settableClock(): { clock: Clock; set: (byMilliseconds: number) => void } {
  let offset = 0;
  const clock = realClock({
    wall: () => Date.now() + offset,
    monotonic: () => performance.now(),
  });
  return { clock, set: (byMilliseconds) => (offset += byMilliseconds) };
}

/** Milliseconds between the machine's real time and a date. */
function distance(date: string | number): number {
  return Math.abs(new Date(date).getTime() - Date.now());
}

test('a retry and its signature after the clock was set back by an hour', async () => {
  const { clock, set } = settableClock();
  const control = await startControlled({ clock });
  const listener = await listenAt((response, number) => {
    if (number === 1) set(-HOUR);
    response.writeHead(number < 3 ? 503 : 204).end();
  });
  await control.endpoint(listener.url);
  await control.run();
  const arrivals = await listener.arrived(3);
  await control.idle();
  const timestamps = arrivals.map(({ headers }) => Number(headers['webhook-timestamp']) * 1000);
  expect(timestamps.map((timestamp) => Math.round(distance(timestamp) / HOUR))).toEqual([0, 1, 1]);
  const { attempts } = await control.onlyDelivery();
  for (const { startedAt, finishedAt } of attempts) expect(finishedAt >= startedAt).toBe(true);
});

test('a run after the clock was set back by an hour: its events never go backwards', async () => {
  const { clock, set } = settableClock();
  const control = await startControlled({ clock });
  const listener = await listenAt();
  await control.endpoint(listener.url);
  const scheduledTransitions = [
    { status: 'running', afterMilliseconds: 50 },
    { status: 'finalizing', afterMilliseconds: 100 },
    { status: 'completed', afterMilliseconds: 150 },
  ];
  const { id, createdAt } = await control.run({ scheduledTransitions });
  set(-HOUR);
  await listener.arrived(4);
  const run = await control.expectOk(200, `/runs/${id}`);
  expect(run).toMatchObject({ startedAt: createdAt, completedAt: createdAt });
  const events = listener.arrivals.map(({ body }) => String(body));
  expect(events.map((body) => (JSON.parse(body) as { createdAt: string }).createdAt)).toEqual(
    Array(4).fill(createdAt),
  );
  const { createdAt: later } = await control.run();
  expect(Math.round(distance(later) / HOUR)).toBe(1);
});

test('a leap of the clock makes retries and runs due within a second', async () => {
  const { clock, set } = settableClock();
  const control = await startControlled({ clock });
  const listener = await listenAt((response, number) => {
    if (number === 1) response.writeHead(503, { 'Retry-After': '3600' });
    response.end();
  });
  await control.endpoint(listener.url);
  const { id } = await control.run({
    scheduledTransitions: [{ status: 'running', afterMilliseconds: HOUR }],
  });
  await control.idle();
  set(2 * HOUR);
  await listener.arrived(3);
  expect(await control.expectOk(200, `/runs/${id}`)).toMatchObject({ status: 'running' });
});

test('an entry of a schedule is due at its time, before the leap of the clock is noticed', () => {
  const { clock, set } = settableClock();
  const schedule = new Schedule(clock, () => {});
  schedule.set([['retry', { id: 'retry', dueAt: clock.steady() + HOUR }]]);
  expect(schedule.isDue).toBe(false);
  set(2 * HOUR);
  expect(schedule.isDue).toBe(true);
  schedule.stop();
});

test('a clock that leaps and is set back again stops nothing', async () => {
  const { clock, set } = settableClock();
  const control = await startControlled({ clock });
  const listener = await listenAt(statuses(503, 503, 503, 204));
  await control.endpoint(listener.url);
  set(5 * HOUR);
  await control.run();
  await listener.arrived(1);
  set(-5 * HOUR);
  await listener.arrived(4);
});
