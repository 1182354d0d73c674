import { createReceiver } from '@hookproof/receiver';
import type {
  Answer,
  AnswerReport,
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

export interface StartedReceiver {
  readonly receiver: Receiver;
  readonly clock: VirtualClock;
  readonly handled: Handled[];
  readonly settled: SettledRun[];
  readonly problems: Problem[];
  readonly answers: AnswerReport[];
  /** Signs and hands in each event, then waits until nothing is left to do. */
  readonly deliver: (...events: readonly RunEvent[]) => Promise<readonly Answer[]>;
  /** Moves the clock, then waits until nothing is left to do. */
  readonly advance: (milliseconds: number) => Promise<void>;
  /** Ids of what was handled, in order. */
  readonly handledIds: () => readonly string[];
}

/** A receiver on a virtual clock that writes down what it is asked to handle. */
export async function startedReceiver(
  options: Partial<ReceiverOptions> = {},
): Promise<StartedReceiver> {
  const clock = virtualClock();
  const handled: Handled[] = [];
  const settled: SettledRun[] = [];
  const problems: Problem[] = [];
  const answers: AnswerReport[] = [];
  const receiver = createReceiver({
    secrets: SECRET,
    store: memoryStore(),
    clock,
    onError: (problem) => problems.push(problem),
    onAnswer: (answer) => answers.push(answer),
    ...options,
    handlers: {
      event: (event, context) => handled.push({ event, ...context }),
      settled: (run) => settled.push(run),
      ...options.handlers,
    },
  });
  await receiver.start();
  onTestFinished(() => receiver.close());
  return {
    receiver,
    clock,
    handled,
    settled,
    problems,
    answers,
    handledIds: () => handled.map(({ event }) => event.id),
    async deliver(...events) {
      const given: Answer[] = [];
      for (const event of events) {
        const { headers, body } = signEvent(event, { secret: SECRET, now: () => clock.now() });
        const contentType = 'application/json';
        given.push(await receiver.receive({ method: 'POST', contentType, headers, body }));
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
