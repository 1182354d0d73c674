import { runConformance } from '@hookproof/conformance';
import type { ConformanceOptions, Step, StepPerformer } from '@hookproof/conformance';

import type { Scenario } from './suite.ts';
import { startTarget } from './target.ts';
import type { SeenRequest, TargetResponse } from './target.ts';

const SECRET = 'whsec_0123456789abcdef';

/** The clock of a run, which moves when a scenario says so: no wait takes real time. */
class Clock {
  #now = Date.parse('2026-07-01T12:00:00Z');

  readonly now = (): number => this.#now;

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** The ids of the events that are no tests, each once, in the order of their first delivery. */
function realEvents(seen: readonly SeenRequest[]): readonly string[] {
  const events = seen
    .filter(({ path }) => path === '/hook')
    .map(({ body }): { readonly id: string; readonly test: boolean } => JSON.parse(body));
  return [...new Set(events.filter(({ test }) => !test).map(({ id }) => id))];
}

interface Judged {
  readonly only: readonly string[];
  /** How long it takes for a delivery, by the clock of the run. */
  readonly milliseconds?: number;
  /** The ids that its observer shows. `read`: how often it was read before. Each reading takes five seconds. */
  readonly shown: (accepted: readonly string[], read: number) => readonly string[];
}

/** Runs checks against a receiver that accepts everything, with what the run says that it waits for. */
async function judge({ only, milliseconds = 0, shown }: Judged): Promise<object> {
  const clock = new Clock();
  let read = -1;
  const target = await startTarget({
    '/hook': (): TargetResponse => {
      clock.advance(milliseconds);
      return { status: 204, body: '' };
    },
    '/observer': (_request, seen) => {
      read += 1;
      clock.advance(5_000);
      return { body: { handled: shown(realEvents(seen), read).map((id) => ({ id })) } };
    },
  });
  const { baseUrl } = target;
  const receiver = { url: `${baseUrl}/hook`, secret: SECRET, observerUrl: `${baseUrl}/observer` };
  try {
    return await listening({ receiver, allowWrites: true, only, now: clock.now });
  } finally {
    target.close();
  }
}

async function listening(options: ConformanceOptions): Promise<object> {
  const notices: string[] = [];
  const report = await runConformance({ ...options, onNotice: (text) => notices.push(text) });
  return { report, notices };
}

/** A command that sends one event to the endpoint, and nothing else. */
function sendsOneTest(): StepPerformer {
  return {
    person: false,
    async perform({ name, url }: Step) {
      if (name === 'create-endpoint') return { kind: 'done', secret: SECRET };
      if (name !== 'send-test') return { kind: 'cannot', message: 'not here' };
      const event = { id: 'whev_1', type: 'run.created', test: true, data: { run: {} } };
      await fetch(url, { method: 'POST', body: JSON.stringify(event) });
      return { kind: 'done', eventId: 'whev_1' };
    },
  };
}

const EFFECTS = ['receiver.effect', 'receiver.duplicate.late-effect', 'receiver.test-event.not'];

/** What a run waits for, and receivers whose handlers stop. */
export const waitingScenarios: Readonly<Record<string, Scenario>> = {
  slowDeliveries: () =>
    judge({ only: ['receiver.event.moves'], milliseconds: 1_500, shown: () => [] }),
  lateObserver: () =>
    judge({
      only: ['receiver.effect.workflow-run'],
      shown: (accepted, read) => (read < 2 ? [] : accepted),
    }),
  handlersStop: () => judge({ only: EFFECTS, shown: (accepted) => accepted.slice(0, 70) }),
  handlersStopSoon: () => judge({ only: EFFECTS, shown: (accepted) => accepted.slice(0, 20) }),
  stepsOfSender() {
    const clock = new Clock();
    return listening({
      sender: true,
      steps: sendsOneTest(),
      allowWrites: true,
      retryWindowMilliseconds: 40_000,
      only: ['sender.test-event.retried'],
      now() {
        clock.advance(5_000);
        return clock.now();
      },
    });
  },
};
