import { describe, expect, test } from 'vitest';

import { chooseWaitStrategy } from '../../../conformance/src/checks/sender/wait-strategy.ts';

/** A deployment on a virtual clock to which nothing happens; adds up how long a listener was waited for. */
function quiet({ idle, held = 0 }: { readonly idle: boolean; readonly held?: number }) {
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

async function exhaust({ context, listener }: ReturnType<typeof quiet>): Promise<string> {
  const waitStrategy = await chooseWaitStrategy(context as never);
  return waitStrategy.until(() => false, listener as never);
}

describe('the wait strategy on a virtual clock', () => {
  const HOURS_32 = 32 * 3_600_000;

  test('lets more than a day pass', async () => {
    const deployment = quiet({ idle: true });
    expect(await exhaust(deployment)).toBe("117529 s of the deployment's virtual clock");
    expect(deployment.waited.clock).toBeGreaterThan(HOURS_32);
  });

  test('ends a tenth of a second after a sender said that it is idle', async () => {
    const deployment = quiet({ idle: true });
    await exhaust(deployment);
    expect(deployment.waited.listener).toBe(100);
  });

  test('waits a second for what a sender that is not idle may still send', async () => {
    const deployment = quiet({ idle: false });
    await exhaust(deployment);
    expect(deployment.waited.listener).toBe(1_000);
  });

  test('does not ask a sender whose delivery is held whether it is idle', async () => {
    const deployment = quiet({ idle: true, held: 1 });
    await exhaust(deployment);
    expect(deployment.waited.listener).toBe(19 * 50 + 1_000);
  });
});
