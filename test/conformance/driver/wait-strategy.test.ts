import { describe, expect, test } from 'vitest';

import { chooseWaitStrategy } from '../../../conformance/src/driver/wait-strategy.ts';
import type { Waited } from '../../../conformance/src/driver/wait-strategy.ts';

/** A deployment on a virtual clock that sends nothing, with the time waited. */
function silentDeployment({ idle, held = 0 }: { readonly idle: boolean; readonly held?: number }) {
  let now = 0;
  const waited = { clock: 0, listener: 0 };
  const clock = () => ({ mode: 'virtual', now: new Date(waited.clock).toISOString() });
  const context = {
    control: {
      getClock: async () => clock(),
      advanceClock: async ({ milliseconds }: { readonly milliseconds: number }) => {
        waited.clock += milliseconds;
        return clock();
      },
      listDeliveries: async (): Promise<{ data: object[] }> => ({ data: [] }),
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
    reached: 0,
  };
  return { context, listener, waited };
}

async function exhaust({
  context,
  listener,
}: ReturnType<typeof silentDeployment>): Promise<Waited> {
  const waitStrategy = await chooseWaitStrategy(
    context.control as never,
    'endpoint',
    context as never,
  );
  return waitStrategy.until(() => false, listener as never);
}

describe('the wait strategy on a virtual clock', () => {
  const HOURS_32 = 32 * 3_600_000;

  test('advances the clock by more than a day', async () => {
    const deployment = silentDeployment({ idle: true });
    expect(await exhaust(deployment)).toEqual({
      milliseconds: expect.any(Number),
      clock: 'virtual',
      doubt: null,
    });
    expect(deployment.waited.clock).toBeGreaterThan(HOURS_32);
  });

  test('waits 100 ms for the listener of an idle sender', async () => {
    const deployment = silentDeployment({ idle: true });
    await exhaust(deployment);
    expect(deployment.waited.listener).toBe(100);
  });

  test('does not advance the clock while deliveries are on their way', async () => {
    const deployment = silentDeployment({ idle: false });
    const { control } = deployment.context;
    const arrivals = [1_500, 3_000, 4_500];
    control.waitForIdle = async () => {
      const left = arrivals.filter((time) => time > deployment.context.now());
      deployment.listener.reached = arrivals.length - left.length;
      return left.length === 0;
    };
    const advancedAt: number[] = [];
    control.advanceClock = async ({ milliseconds }) => {
      if (milliseconds > 0) advancedAt.push(deployment.context.now());
      return { mode: 'virtual', now: '' };
    };
    expect(await exhaust(deployment)).toMatchObject({ doubt: null });
    expect(Math.min(...advancedAt)).toBeGreaterThanOrEqual(4_500);
  });

  test('stops a second after each attempt that is due, so that no timeout of the sender passes', async () => {
    const deployment = silentDeployment({ idle: true });
    const { control, ...context } = deployment.context;
    const due = [3_600_000, 50_000_000];
    const pending = due.map((time) => ({
      status: 'pending',
      nextAttemptAt: new Date(time).toISOString(),
    }));
    const stops: number[] = [];
    await exhaust({
      ...deployment,
      context: {
        ...context,
        control: {
          ...control,
          advanceClock: async (advance) => {
            const clock = await control.advanceClock(advance);
            stops.push(deployment.waited.clock);
            return clock;
          },
          listDeliveries: async () => ({ data: pending }),
        },
      },
    });
    expect(stops).toEqual(expect.arrayContaining(due.map((time) => time + 1_000)));
  });

  test('a control interface that always reports a next attempt does not make a wait endless', async () => {
    const deployment = silentDeployment({ idle: true });
    deployment.context.control.listDeliveries = async () => ({
      data: [
        {
          status: 'pending',
          nextAttemptAt: new Date(deployment.waited.clock + 1).toISOString(),
        },
      ],
    });
    await exhaust(deployment);
    expect(deployment.waited.clock).toBeGreaterThan(HOURS_32);
  });

  test('says that deliveries are on their way when the sender is never idle', async () => {
    const waited = await exhaust(silentDeployment({ idle: false }));
    expect(waited.doubt).toBe('deliveries were still on their way 10 s after the last one arrived');
  });

  test('advances the clock while a delivery is held', async () => {
    const deployment = silentDeployment({ idle: true, held: 1 });
    expect(await exhaust(deployment)).toMatchObject({ doubt: null });
    expect(deployment.waited.listener).toBe(19 * 50 + 1_000);
  });
});
