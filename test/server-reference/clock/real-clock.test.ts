import { realClock } from '@hookproof/server-reference';
import type { Clock } from '@hookproof/server-reference';
import { describe, expect, test } from 'vitest';

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

const HOUR = 3_600_000;

/** A machine whose readings the test chooses: wall and monotonic time in milliseconds. */
function machine(): { clock: Clock; shows: (wall: number, monotonic: number) => Clock } {
  const shown = { wall: 0, monotonic: 0 };
  const clock = realClock({ wall: () => shown.wall, monotonic: () => shown.monotonic });
  return {
    clock,
    shows(wall, monotonic) {
      Object.assign(shown, { wall, monotonic });
      return clock;
    },
  };
}

describe('the steady time of a real clock', () => {
  test.each([
    ['equals the time of the clock', [[5_000, 5_000]], 5_000],
    [
      'ignores the steps of a slewed clock',
      [
        [9_700, 10_000],
        [19_400, 20_000],
      ],
      19_400,
    ],
    [
      'continues when the clock is set back',
      [
        [-HOUR + 10, 10],
        [-HOUR + 30, 30],
      ],
      30,
    ],
    ['leaps with the clock', [[HOUR + 10, 10]], HOUR + 10],
    [
      'does not leap when a set-back ends',
      [
        [-HOUR + 10, 10],
        [20, 20],
      ],
      20,
    ],
    [
      'leaps with the rest after a set-back',
      [
        [-HOUR, 0],
        [HOUR + 10, 10],
      ],
      HOUR + 10,
    ],
    [
      'adds up set-backs',
      [
        [-HOUR, 0],
        [-2 * HOUR, 0],
        [-2 * HOUR + 7, 7],
      ],
      7,
    ],
  ] as const)('%s', (_what, readings, expected) => {
    const { clock, shows } = machine();
    const steady = readings.map(([wall, monotonic]) => {
      expect(shows(wall, monotonic).now()).toBe(wall);
      return clock.steady();
    });
    expect(steady.at(-1)).toBe(expected);
    expect(steady).toEqual(steady.toSorted((a, b) => a - b));
  });
});

test('an alarm waits through a set-back and its end, and rings within a second of a leap', async () => {
  const { clock, shows } = machine();
  const rings: number[] = [];
  const alarm = (dueAt: number): Promise<void> =>
    new Promise((resolve) => {
      clock.setAlarm(() => {
        rings.push(clock.steady());
        resolve();
      }, dueAt);
    });
  const [early, late] = [alarm(20), alarm(HOUR)];
  shows(-HOUR, 0).now();
  shows(10, 10).now();
  shows(20, 20);
  await early;
  shows(5 * HOUR, 30);
  await late;
  expect(rings).toEqual([20, 5 * HOUR]);
});

test('a cleared alarm of the real clock does not ring', async () => {
  const clock = realClock();
  const rings: string[] = [];
  clock.clearTimeout(clock.setAlarm(() => void rings.push('cleared'), clock.steady() + 1));
  await new Promise<void>((resolve) => void clock.setAlarm(resolve, clock.steady() + 5));
  expect(rings).toEqual([]);
});
