import type { DeliveryWait, Wait } from '@hookproof/spec/control';

import { realClock } from '../../clock/clock.ts';
import { ROOT, refusal } from '../../errors.ts';
import type { ApiError } from '../../errors.ts';
import type { ReadonlyState } from '../../store/state.ts';
import { deliveryView } from './deliveries.ts';
import { findKnown } from './find.ts';
import type { ControlRoute } from './operation.ts';
import type { LabServices } from './services.ts';

/**
 * Calls `reached` now and after each change. Resolves to true when it returns true, and to false after the
 * timeout, which is in real time, or when the client disconnects.
 */
export function waitUntil(
  reached: () => boolean,
  subscribe: (listener: () => void) => () => void,
  timeoutMilliseconds: number,
  signal: AbortSignal,
): Promise<boolean> {
  const clock = realClock();
  return new Promise((resolve, reject) => {
    if (reached()) return resolve(true);
    const finish = (settle: () => void): void => {
      clock.clearTimeout(timer);
      unsubscribe();
      settle();
    };
    const look = (): void => {
      try {
        if (reached()) finish(() => resolve(true));
      } catch (error) {
        finish(() => reject(error));
      }
    };
    const giveUp = (): void => finish(() => resolve(false));
    const timer = clock.setTimeout(giveUp, timeoutMilliseconds);
    const unsubscribe = subscribe(look);
    signal.addEventListener('abort', giveUp);
  });
}

const DEFAULT_TIMEOUT_MILLISECONDS = 5_000;

/** The route to wait for a state in real time, without polling. */
export function waitRoutes(services: LabServices): ControlRoute[] {
  const wait: ControlRoute<Wait> = {
    operationId: 'wait',
    async handle({ body, signal }) {
      const timeout = body.timeoutMilliseconds ?? DEFAULT_TIMEOUT_MILLISECONDS;
      const look = (): Awaited => lookAt(services, body);
      const isReached = (): boolean => look().isReached;
      const reached = await waitUntil(isReached, services.feed.subscribe, timeout, signal);
      const { view, progress } = look();
      if (!reached) throw timedOut(timeout, progress);
      return { status: 200, body: view };
    },
  };
  return [wait];
}

/** The current state of a condition. */
interface Awaited {
  readonly isReached: boolean;
  readonly view: object;
  /** Describes the current state for the timeout message. */
  readonly progress: string;
}

/** @throws {ApiError} 404 for an unknown id */
function lookAt({ store, sender }: LabServices, wait: Wait): Awaited {
  if (wait.for === 'delivery') return lookAtDelivery(store.state, wait);
  return {
    isReached: sender.isIdle(),
    view: { idle: true },
    progress: 'deliveries are due or in progress',
  };
}

/** Without `status` and `attempts`, the condition is that the delivery is no longer pending. */
function lookAtDelivery(state: ReadonlyState, { id, status, attempts }: DeliveryWait): Awaited {
  const delivery = findKnown(state.deliveries, id, 'id', 'delivery');
  const count = delivery.attempts.length;
  const isReached =
    status === undefined && attempts === undefined
      ? delivery.status !== 'pending'
      : (status ?? delivery.status) === delivery.status && count >= (attempts ?? 0);
  return {
    isReached,
    view: deliveryView(delivery),
    progress: `the delivery is ${delivery.status} after ${count} attempts`,
  };
}

function timedOut(timeout: number, progress: string): ApiError {
  const message = `the awaited state was not reached within ${timeout} ms: ${progress}`;
  return refusal('timed_out', ROOT, message, {
    hint: 'Advance a virtual clock with POST /_control/clock/advance.',
  });
}
