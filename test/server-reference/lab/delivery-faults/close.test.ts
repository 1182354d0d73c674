import { virtualClock } from '@hookproof/server-reference';
import type { TimerCallback, TimerHandle, VirtualClock } from '@hookproof/server-reference';
import { expect, test } from 'vitest';

import { START, startControlled } from '../control/control-client.ts';
import { rawListener } from './raw-listener.ts';

/** A clock that counts the timers and alarms that neither fired nor were cleared. */
function countingClock(): VirtualClock & { readonly pending: ReadonlySet<unknown> } {
  const clock = virtualClock({ now: START });
  const pending = new Set<unknown>();
  const counted = (
    callback: TimerCallback,
    start: (fire: TimerCallback) => TimerHandle,
  ): TimerHandle => {
    const handle = start(() => {
      pending.delete(handle);
      return callback();
    });
    pending.add(handle);
    return handle;
  };
  return {
    ...clock,
    pending,
    setTimeout: (callback, delay) => counted(callback, (fire) => clock.setTimeout(fire, delay)),
    setAlarm: (callback, dueAt) => counted(callback, (fire) => clock.setAlarm(fire, dueAt)),
    clearTimeout(handle) {
      pending.delete(handle);
      clock.clearTimeout(handle);
    },
  };
}

test.each([
  { name: 'duplicate', apartMilliseconds: 60_000 },
  { name: 'reorder' },
  { name: 'delay' },
  { name: 'slow-drip', milliseconds: 60_000 },
])('close() during %o leaves no timer', async (order) => {
  const clock = countingClock();
  const control = await startControlled({ clock });
  const listener = await rawListener();
  await control.endpoint(listener.url);
  await control.expectOk(201, '/delivery-faults', order);
  await control.run();
  const isHeld = order.name === 'reorder' || order.name === 'delay';
  if (isHeld) await control.idle();
  else await listener.until(([connection]) => connection !== undefined);
  expect(clock.pending.size).toBeGreaterThan(0);
  await control.server.close();
  expect(clock.pending.size).toBe(0);
});
