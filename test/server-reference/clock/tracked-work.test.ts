import { expect, test } from 'vitest';

import { TrackedWork } from '../../../server-reference/src/clock/tracked-work.ts';

/** So long that a test which depends on it exceeds its own timeout. */
const ENDLESS_TIMEOUT = 600_000;

interface Job {
  readonly work: Promise<void>;
  readonly end: () => void;
  readonly fail: () => void;
}

function job(): Job {
  let [end, fail] = [() => {}, () => {}];
  const work = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = () => reject(new Error('failed'));
  });
  return { work, end: () => end(), fail: () => fail() };
}

/** Whether the wait is over, after everything that was ready to run has run. */
async function isOver(wait: Promise<void>): Promise<boolean> {
  let over = false;
  void wait.then(() => (over = true));
  await new Promise(setImmediate);
  return over;
}

test('waits for all work, failing work included', async () => {
  const [first, second] = [job(), job()];
  const tracked = new TrackedWork(ENDLESS_TIMEOUT);
  tracked.add(first.work);
  tracked.add(second.work);
  const wait = tracked.settle();
  first.fail();
  expect(await isOver(wait)).toBe(false);
  second.end();
  await wait;
});

test('waits for work that is added meanwhile', async () => {
  const [first, second] = [job(), job()];
  const tracked = new TrackedWork(ENDLESS_TIMEOUT);
  tracked.add(first.work);
  const wait = tracked.settle();
  tracked.add(second.work);
  first.end();
  expect(await isOver(wait)).toBe(false);
  second.end();
  await wait;
});

test('a pause is progress, also when it is the last', async () => {
  const [first, second] = [job(), job()];
  const tracked = new TrackedWork(ENDLESS_TIMEOUT);
  const handle = tracked.add(first.work);
  tracked.add(second.work);
  const wait = tracked.settle();
  second.end();
  expect(await isOver(wait)).toBe(false);
  handle.pause();
  await wait;
  await tracked.settle();
});

test('resumed work is waited for again, until it ends or pauses again', async () => {
  const { work, end } = job();
  const tracked = new TrackedWork(ENDLESS_TIMEOUT);
  const handle = tracked.add(work);
  handle.pause();
  handle.resume();
  handle.resume();
  const once = tracked.settle();
  expect(await isOver(once)).toBe(false);
  handle.pause();
  handle.pause();
  await once;
  handle.resume();
  const again = tracked.settle();
  expect(await isOver(again)).toBe(false);
  end();
  await again;
});

test('ended work is never waited for again', async () => {
  const { work, end } = job();
  const tracked = new TrackedWork(ENDLESS_TIMEOUT);
  const handle = tracked.add(work);
  handle.pause();
  end();
  await new Promise(setImmediate);
  handle.resume();
  await tracked.settle();
  handle.pause();
  handle.resume();
  await tracked.settle();
});

test('a pause does not shorten the wait for other work', async () => {
  const [first, second] = [job(), job()];
  const tracked = new TrackedWork(ENDLESS_TIMEOUT);
  const handle = tracked.add(first.work);
  tracked.add(second.work);
  handle.pause();
  const wait = tracked.settle();
  expect(await isOver(wait)).toBe(false);
  handle.resume();
  second.end();
  expect(await isOver(wait)).toBe(false);
  first.end();
  await wait;
});

test('hanging work is given up after a time without progress, and not waited for again', async () => {
  const { work } = job();
  const tracked = new TrackedWork(5);
  tracked.add(work);
  await tracked.settle();
  expect(await isOver(tracked.settle())).toBe(true);
});

test('work is not given up as hanging in a process that had no CPU time', async () => {
  const { work, end } = job();
  const tracked = new TrackedWork(50);
  tracked.add(work);
  const order: string[] = [];
  const wait = tracked.settle().then(() => order.push('settled'));
  await new Promise(setImmediate);
  const busyUntil = performance.now() + 200;
  while (performance.now() < busyUntil);
  await new Promise<void>((resolve) =>
    setImmediate(() => {
      order.push('ended');
      end();
      resolve();
    }),
  );
  await wait;
  expect(order).toEqual(['ended', 'settled']);
});
