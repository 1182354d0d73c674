import { realClock } from '@hookproof/server-reference';
import { expect, test } from 'vitest';

test('the real clock shows the time of the machine and fires once', async () => {
  const clock = realClock();
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000);
  const before = clock.now();
  await new Promise<void>((resolve) => {
    const handle = clock.setTimeout(resolve, 5);
    expect(handle.dueAt).toBeGreaterThanOrEqual(before + 5);
  });
});

test('a cleared timer of the real clock does not fire', async () => {
  const clock = realClock();
  const fired: string[] = [];
  clock.clearTimeout(clock.setTimeout(() => void fired.push('cleared'), 1));
  await new Promise<void>((resolve) => void clock.setTimeout(resolve, 5));
  expect(fired).toEqual([]);
});

test.each([-1, Number.NaN, 2_147_483_648])('a delay of %s is a TypeError', (delay) => {
  expect(() => realClock().setTimeout(() => {}, delay)).toThrow(
    new TypeError(`delayMilliseconds must be a number from 0 to 2147483647, got ${delay}.`),
  );
});
