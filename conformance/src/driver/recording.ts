import type { RunStatus } from '@hookproof/spec';
import type { RunOrigin } from '@hookproof/spec/control';

import { isTerminal, runOf } from '../listener/delivery.ts';
import type { ReceivedDelivery } from '../listener/delivery.ts';
import type { Listener } from '../listener/listener.ts';
import type { ListenerServer } from '../listener/listener-server.ts';
import type { JournalScope } from '../undo/journal.ts';
import { PlannedResponses } from './responses.ts';
import { CUSTOM_HEADERS } from './sender-driver.ts';
import type { Redelivery } from './sender-driver.ts';
import type { Step, StepName, StepPerformer, StepResult } from '../options/step.ts';

/** A run that was created for a recording. */
export interface RecordedRun {
  readonly id: string;
  readonly type: 'workflow' | 'agent';
  readonly origin: RunOrigin;
  /** The statuses after its creation that its creator confirms, in order. */
  readonly confirmed: RunStatus[];
}

/** Why something was not done. */
export interface NotDone {
  readonly message: string;
  /** Whether it is impossible, not merely failed. */
  readonly impossible: boolean;
}

/** A step that did not succeed. */
export interface MissedStep extends NotDone {
  readonly name: StepName;
}

/** A run that could not be created. */
interface MissedRun extends MissedStep {
  readonly type: 'workflow' | 'agent';
  readonly origin: RunOrigin;
}

/** What a sender delivered during the few steps that caused it. All checks of the sender judge the same recording. */
export interface Recording {
  readonly listener: Listener;
  readonly endpoint: { readonly id: string; readonly url: string; readonly secret: string | null };
  /** Whether the endpoint has the custom headers of the suite. */
  readonly hasHeaders: boolean;
  readonly runs: readonly RecordedRun[];
  /** The runs that could not be created. */
  readonly missedRuns: readonly MissedRun[];
  readonly testEventId: string | NotDone;
  readonly redelivery: (Redelivery & { readonly runId: string }) | NotDone;
  /** Milliseconds since the epoch. */
  readonly stepsEndedAt: number;
  /** Milliseconds since the epoch: until then a retry may arrive. */
  readonly endsAt: number;
  close(): Promise<void>;
}

/** Begins the id of a run that its creator did not name, and of which no event arrived in time. */
const UNKNOWN_RUN = 'unknown-run-';

/** Whether a run has no id that is known. */
export function isUnknownRun(id: string): boolean {
  return id.startsWith(UNKNOWN_RUN);
}

/** The runs to create, most important first. A person is asked for the first two. */
const RUNS: readonly {
  readonly type: 'workflow' | 'agent';
  readonly origin: RunOrigin;
  readonly path: readonly RunStatus[];
}[] = [
  {
    type: 'workflow',
    origin: 'top-level',
    path: ['running', 'waiting', 'running', 'finalizing', 'completed'],
  },
  { type: 'agent', origin: 'top-level', path: ['running', 'finalizing', 'completed'] },
  { type: 'workflow', origin: 'top-level', path: ['running', 'finalizing', 'failed'] },
  { type: 'workflow', origin: 'top-level', path: ['cancelled'] },
  { type: 'workflow', origin: 'top-level', path: ['rejected'] },
  { type: 'workflow', origin: 'invoke-workflow', path: ['running', 'finalizing', 'completed'] },
  { type: 'workflow', origin: 'evaluation', path: ['running', 'finalizing', 'completed'] },
];
const RUNS_OF_A_PERSON = 2;
/** Runs with one change, until each response was given to a creation and to a change. */
const MAX_MORE_RUNS = 20;
const MORE_PATHS: readonly (readonly RunStatus[])[] = [['cancelled'], ['running']];
/** A sender on a real clock retries once in the default window, perhaps not twice. */
const REFUSALS = { ofKind: 2, creation: 1, change: 1 };

/** How long a test event may take to arrive. */
const MAX_TEST_MILLISECONDS = 10_000;

/** The clock of a recording, and how long it waits for what did not arrive. */
export interface RecordingTimes {
  readonly now: () => number;
  readonly retryWindowMilliseconds: number;
}

/**
 * Performs the steps of a recording. Resolves with the reason when there is no endpoint. The endpoint is deleted with
 * the other changes of the run.
 *
 * @param requireArrival - called with the steps that failed, after a test event and a first run without any delivery; may
 *   throw to end the recording
 */
export async function record(
  performer: StepPerformer,
  server: ListenerServer,
  changes: JournalScope,
  times: RecordingTimes,
  requireArrival: (missed: readonly MissedStep[]) => void,
): Promise<Recording | MissedStep> {
  const responses = new PlannedResponses(REFUSALS, true);
  const listener = server.open(responses.script);
  const { url } = listener;
  const undo = { kind: 'step-endpoint', url, endpointId: null } as const;
  const entry = await changes.record(undo, 'run');
  const step = { name: 'create-endpoint', url, headers: CUSTOM_HEADERS } as const;
  const created = await performer.perform(step);
  if (created.kind !== 'done') {
    await entry.settle();
    await listener.close();
    return missed(step, created);
  }
  const { endpointId = '', secret = null, headers = false } = created;
  await entry.amend({ ...undo, endpointId: endpointId === '' ? null : endpointId });
  const recorder = new Recorder(performer, listener, endpointId, times);
  const testEventId = await recorder.sendTest();
  await recorder.createRuns(responses, () => {
    if (listener.reached === 0) requireArrival(recorder.missed);
  });
  const redelivery = await recorder.redeliver();
  const stepsEndedAt = times.now();
  return {
    listener,
    endpoint: { id: endpointId, url, secret },
    hasHeaders: headers,
    runs: recorder.runs,
    missedRuns: recorder.missedRuns,
    testEventId,
    redelivery,
    stepsEndedAt,
    endsAt: stepsEndedAt + times.retryWindowMilliseconds,
    close: () => listener.close(),
  };
}

type Done = Extract<StepResult, { kind: 'done' }>;

function missed({ name }: Step, { kind, message }: Exclude<StepResult, Done>): MissedStep {
  return { name, message, impossible: kind === 'cannot' };
}

/**
 * What a step did. A command that ignores the origin of a run starts an ordinary one, whose events are right: such a run
 * counts only if the command says that it is one.
 */
function withOrigin({ run }: Step, result: StepResult): StepResult {
  if (result.kind !== 'done' || run === undefined || run.origin === 'top-level') return result;
  const { origin } = run;
  if (result.origin === origin) return result;
  const got = result.origin === undefined ? 'did not say its origin' : `made it ${result.origin}`;
  const fix = `Start such a run for HOOKPROOF_RUN_ORIGIN=${origin} and print {"origin": "${origin}"}, or exit with 69`;
  return { kind: 'cannot', message: `the run was to be ${origin}, and the step ${got}. ${fix}` };
}

class Recorder {
  readonly runs: RecordedRun[] = [];
  readonly missedRuns: MissedRun[] = [];
  /** The steps that were not done, moves of runs excepted: a deployment may refuse them. */
  readonly missed: MissedStep[] = [];
  readonly #performer: StepPerformer;
  readonly #listener: Listener;
  readonly #endpointId: string;
  readonly #now: () => number;
  /** What is left of the time for events that do not arrive. */
  #budgetMilliseconds: number;

  constructor(
    performer: StepPerformer,
    listener: Listener,
    endpointId: string,
    { now, retryWindowMilliseconds }: RecordingTimes,
  ) {
    this.#performer = performer;
    this.#listener = listener;
    this.#endpointId = endpointId;
    this.#now = now;
    this.#budgetMilliseconds = retryWindowMilliseconds;
  }

  async createRuns(responses: PlannedResponses, afterFirst: () => void): Promise<void> {
    for (const wanted of this.#performer.person ? RUNS.slice(0, RUNS_OF_A_PERSON) : RUNS) {
      await this.#createRun(wanted);
      if (wanted === RUNS[0]) afterFirst();
    }
    if (this.#performer.person) return;
    for (let more = 0; more < MAX_MORE_RUNS && !responses.isUsed; more += 1) {
      const path = MORE_PATHS[more % MORE_PATHS.length] ?? [];
      const made = await this.#createRun({ type: 'workflow', origin: 'top-level', path });
      if (!made) return;
    }
  }

  async sendTest(): Promise<Recording['testEventId']> {
    const result = await this.#perform({ name: 'send-test', ...this.#endpoint });
    if (result.kind !== 'done') return result;
    const { eventId } = result;
    const isTest = ({ event }: ReceivedDelivery): boolean =>
      event['test'] === true || (eventId !== undefined && event['id'] === eventId);
    const arrived = await this.#arrived(isTest, 0, MAX_TEST_MILLISECONDS);
    const id = eventId ?? arrived?.event['id'];
    return typeof id === 'string' ? id : { message: 'no test event arrived', impossible: false };
  }

  async redeliver(): Promise<Recording['redelivery']> {
    const delivered = this.#listener.deliveries.find(
      ({ event, response }) =>
        event['test'] !== true && typeof response === 'object' && response.status === 204,
    );
    if (delivered === undefined) return { message: 'no event was delivered', impossible: false };
    const eventId = String(delivered.event['id']);
    const runId = String(runOf(delivered.event)['id']);
    const arrivedBefore = this.#arrivals(eventId);
    const deliveriesBefore = this.#listener.deliveries.length;
    const step = { name: 'redeliver', ...this.#endpoint, eventId, runId } as const;
    const result = await this.#perform(step);
    return result.kind === 'done' ? { eventId, runId, arrivedBefore, deliveriesBefore } : result;
  }

  get #endpoint(): { readonly url: string; readonly endpointId: string } {
    return { url: this.#listener.url, endpointId: this.#endpointId };
  }

  async #perform(step: Step): Promise<Done | (MissedStep & { readonly kind: 'missed' })> {
    const result = withOrigin(step, await this.#performer.perform(step));
    if (result.kind === 'done') return result;
    const one = missed(step, result);
    this.missed.push(one);
    return { ...one, kind: 'missed' };
  }

  #arrivals(eventId: string): number {
    return this.#listener.deliveries.filter(({ event }) => event['id'] === eventId).length;
  }

  /** Whether there is a new run. */
  async #createRun({ type, origin, path }: (typeof RUNS)[number]): Promise<boolean> {
    const before = this.#listener.deliveries.length;
    const result = await this.#perform({
      name: 'create-run',
      ...this.#endpoint,
      run: { type, origin, ending: path.at(-1) ?? null },
    });
    if (result.kind !== 'done') {
      this.missedRuns.push({ ...result, type, origin });
      return false;
    }
    const ids = await this.#newRuns(result, type, origin, before);
    const [id] = ids;
    if (id === undefined) return false;
    const run: RecordedRun = { id, type, origin, confirmed: [] };
    this.runs.push(run);
    // Another run may have begun at the same time: then the creator's statuses may belong to that one.
    if (ids.length > 1) return true;
    run.confirmed.push(...(result.statuses ?? []));
    await this.#move(run, path);
    return true;
  }

  /** The id that the step reported; else the ids of the runs that were announced since. */
  async #newRuns(
    { runId }: Done,
    type: string,
    origin: RunOrigin,
    before: number,
  ): Promise<readonly string[]> {
    const known = new Set(this.runs.map(({ id }) => id));
    const isNew = (delivery: ReceivedDelivery): boolean => {
      const { id, type: shown } = runOf(delivery.event);
      if (runId !== undefined) return id === runId;
      const { type: eventType, test } = delivery.event;
      return (
        eventType === 'run.created' && test !== true && shown === type && !known.has(String(id))
      );
    };
    if (origin !== 'top-level') return runId === undefined ? [] : [runId];
    await this.#arrived(isNew, before);
    if (runId !== undefined) return [runId];
    const found = this.#listener.deliveries.slice(before).filter(isNew);
    if (found.length === 0) return [`${UNKNOWN_RUN}${this.runs.length + 1}`];
    return [...new Set(found.map((delivery) => String(runOf(delivery.event)['id'])))];
  }

  /** Moves a run along a path. One that cannot start yet enters the queue first. */
  async #move(run: RecordedRun, path: readonly RunStatus[]): Promise<void> {
    for (const status of path) {
      if (run.confirmed.some(isTerminal)) return;
      const kind = await this.#moveTo(run, status);
      if (kind === 'failed') return;
      if (kind === 'done' || status !== 'running' || run.confirmed.length > 0) continue;
      if ((await this.#moveTo(run, 'pending')) === 'done') await this.#moveTo(run, status);
    }
  }

  async #moveTo(run: RecordedRun, status: RunStatus): Promise<StepResult['kind']> {
    const step = { name: 'move-run', ...this.#endpoint, runId: run.id, status } as const;
    const { kind } = await this.#performer.perform(step);
    // A step that waits for a status which the run still has is done, but the run has not changed.
    if (kind === 'done' && run.confirmed.at(-1) !== status) run.confirmed.push(status);
    return kind;
  }

  /** Waits for a delivery, within a limit and what is left of the time. */
  async #arrived(
    wanted: (delivery: ReceivedDelivery) => boolean,
    after = 0,
    limitMilliseconds = Infinity,
  ): Promise<ReceivedDelivery | undefined> {
    const find = (): ReceivedDelivery | undefined =>
      this.#listener.deliveries.slice(after).find(wanted);
    let left = Math.min(limitMilliseconds, this.#budgetMilliseconds);
    while (find() === undefined && left > 0) {
      const started = this.#now();
      await this.#listener.arrival(left);
      const passed = Math.max(1, this.#now() - started);
      left -= passed;
      if (find() === undefined) this.#budgetMilliseconds -= passed;
    }
    return find();
  }
}
