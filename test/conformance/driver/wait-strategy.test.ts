import { describe, expect, test } from 'vitest';

import { chooseWaitStrategy } from '../../../conformance/src/driver/wait-strategy.ts';

/** A deployment on a virtual clock that sends nothing, with the time waited. */
function silentDeployment({ idle, held = 0 }: { readonly idle: boolean; readonly held?: number }) {
  let now = 0;
  const waited = { clock: 0, listener: 0 };
  const context = {
    control: {
      clock: async () => ({ mode: 'virtual', now: '' }),
      advanceClock: async (milliseconds: number) => {
        waited.clock += milliseconds;
        return { mode: 'virtual', now: '' };
      },
      waitForIdle: async () => idle,
    },
    signal: new AbortController().signal,
    now: () => now,
  };
  const listener = {
    held,
    arrival: async (milliseconds: number) => {
      now += milliseconds;
      waited.listener += milliseconds;
    },
  };
  return { context, listener, waited };
}

async function exhaust({
  context,
  listener,
}: ReturnType<typeof silentDeployment>): Promise<string> {
  const waitStrategy = await chooseWaitStrategy(context.control as never, context as never);
  return waitStrategy.until(() => false, listener as never);
}

describe('the wait strategy on a virtual clock', () => {
  const HOURS_32 = 32 * 3_600_000;

  test('advances the clock by more than a day', async () => {
    const deployment = silentDeployment({ idle: true });
    expect(await exhaust(deployment)).toBe("117529 s of the deployment's virtual clock");
    expect(deployment.waited.clock).toBeGreaterThan(HOURS_32);
  });

  test('waits 100 ms for the listener of an idle sender', async () => {
    const deployment = silentDeployment({ idle: true });
    await exhaust(deployment);
    expect(deployment.waited.listener).toBe(100);
  });

  test('waits 1 s for the listener of a busy sender', async () => {
    const deployment = silentDeployment({ idle: false });
    await exhaust(deployment);
    expect(deployment.waited.listener).toBe(1_000);
  });

  test('treats a sender as busy while a delivery is held', async () => {
    const deployment = silentDeployment({ idle: true, held: 1 });
    await exhaust(deployment);
    expect(deployment.waited.listener).toBe(19 * 50 + 1_000);
  });
});
