import { createReceiver } from '@hookproof/receiver';
import type {
  ReceiverResponse,
  HandlingContext,
  Problem,
  Receiver,
  ReceiverOptions,
  SettledRun,
} from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { signEvent } from '@hookproof/receiver/testing';
import type { RunEvent } from '@hookproof/spec';
import { onTestFinished } from 'vitest';

import { virtualClock } from './virtual-clock.ts';
import type { VirtualClock } from './virtual-clock.ts';

export const SECRET = 'whsec_7hJmKx2QpLw9';

export interface Handled extends HandlingContext {
  readonly event: RunEvent;
}

interface StartedReceiver {
  readonly receiver: Receiver;
  readonly clock: VirtualClock;
  readonly handled: Handled[];
  readonly settled: SettledRun[];
  readonly problems: Problem[];
  readonly responses: ReceiverResponse[];
  /** Signs and delivers each event, and waits after each until the receiver is idle. */
  readonly deliver: (...events: readonly RunEvent[]) => Promise<readonly ReceiverResponse[]>;
  /** Moves the clock, then waits until the receiver is idle. */
  readonly advance: (milliseconds: number) => Promise<void>;
  /** Returns the ids of the handled events in order. */
  readonly handledIds: () => readonly string[];
}

/**
 * Starts a receiver on a virtual clock that records what it handles and reports. With `work: false` it
 * only accepts.
 */
export async function startedReceiver(
  options: Partial<ReceiverOptions> = {},
  how: Parameters<Receiver['start']>[0] = {},
): Promise<StartedReceiver> {
  const clock = virtualClock();
  const handled: Handled[] = [];
  const settled: SettledRun[] = [];
  const problems: Problem[] = [];
  const responses: ReceiverResponse[] = [];
  const created = createReceiver({
    secrets: SECRET,
    store: memoryStore(),
    clock,
    onError: (problem) => problems.push(problem),
    ...options,
    handlers: {
      event: (event, context) => handled.push({ event, ...context }),
      settled: (run) => settled.push(run),
      ...options.handlers,
    },
  });
  const receiver: Receiver = {
    ...created,
    async receive(request) {
      const response = await created.receive(request);
      responses.push(response);
      return response;
    },
  };
  await receiver.start(how);
  onTestFinished(() => receiver.close());
  return {
    receiver,
    clock,
    handled,
    settled,
    problems,
    responses,
    handledIds: () => handled.map(({ event }) => event.id),
    async deliver(...events) {
      const given: ReceiverResponse[] = [];
      for (const event of events) {
        const { headers, body } = signEvent(event, { secret: SECRET, now: () => clock.now() });
        given.push(await receiver.receive({ method: 'POST', headers, body }));
        await receiver.idle();
      }
      return given;
    },
    async advance(milliseconds) {
      await clock.advance(milliseconds);
      await receiver.idle();
    },
  };
}

/** Returns a handler result that stays pending until the test ends. */
export function pendingUntilTheEnd(): Promise<void> {
  return new Promise((resolve) => {
    onTestFinished(() => resolve());
  });
}
