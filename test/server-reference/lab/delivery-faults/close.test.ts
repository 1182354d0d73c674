import { virtualClock } from '@hookproof/server-reference';
import type { VirtualClock } from '@hookproof/server-reference';
import { expect, test } from 'vitest';

import { START, startControlled } from '../control/control-client.ts';
import { rawListener } from './raw-listener.ts';

/** A clock that counts the timers that neither fired nor were cleared. */
function countingClock(): VirtualClock & { readonly pending: ReadonlySet<unknown> } {
  const clock = virtualClock({ now: START });
  const pending = new Set<unknown>();
  return {
    ...clock,
    pending,
    setTimeout(callback, delayMilliseconds) {
      const handle = clock.setTimeout(() => {
        pending.delete(handle);
        return callback();
      }, delayMilliseconds);
      pending.add(handle);
      return handle;
    },
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
