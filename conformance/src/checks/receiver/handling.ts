import { once } from '../../check-kit/once.ts';
import type { CheckContext } from '../../check-kit/check.ts';
import type { Diagnosis } from '../../diagnosis/diagnosis.ts';
import { Inconclusive, Violation } from '../../verdict/findings.ts';
import { expectAccepted, expectAllAccepted, signed } from './deliver.ts';
import { list, listedWith } from './observer.ts';
import type { Listed } from './observer.ts';
import { nameOf, PATHS, runOf } from './real-run.ts';
import type { EventKind, RealEvent } from './real-run.ts';

export type RunType = EventKind['runType'];

/** How long the observer may show nothing. A receiver may handle events in batches. */
export const STANDSTILL_MILLISECONDS = 30_000;
/** A missing effect may take this many times as long as those that are there, within these limits. */
const GRACE = { times: 5, minimumMilliseconds: 250, maxMilliseconds: 30_000 };

const RUN_TYPES: readonly RunType[] = ['workflow', 'agent'];
/** An event of each kind twice, so that one that is lost differs from a kind that is ignored. */
const COPIES = [1, 2];
/** Comes end first: a receiver that handles only what arrives first of a run shows that it does handle ends. */
const END_FIRST = PATHS[1] ?? [];

const LOSES: Diagnosis = {
  cause:
    'The receiver says 2xx to an event that it then drops: it takes the event for a duplicate (by the id of the run, by a part of the event id, or after a first attempt that failed), or its work fails afterwards.',
  fix: 'Remember the whole webhook-id in the same transaction as the work, and respond with a 2xx once that is stored.',
};
const IDLE: Diagnosis = {
  cause:
    'The receiver accepts events and does nothing with them, or its observer does not report what it does.',
  fix: 'Handle what was accepted, and list it at --observer. If the receiver handles only events of some automations, let the test installation handle all.',
};

export const STOPPED: Diagnosis = {
  cause:
    'What handles events has stopped: an event before these failed for good, or it is waited for.',
  fix: 'Set an event aside that cannot be handled, and go on with the others.',
};

/** What a receiver does with the events that it accepts. */
export interface Handling {
  /** Whether an event of this kind takes effect. A receiver may ignore some kinds: receiver.ignored-kinds. */
  isHandled(event: RealEvent): boolean;
  handlesRunsOf(runType: RunType): boolean;
  /** What is wrong with events that were delivered once and in order, for the check of the runs of this type. */
  readonly failures: ReadonlyMap<RunType, Violation>;
  /** Whether what takes effect depends on more than the kind of an event, so that nothing else can be judged. */
  readonly isReliable: boolean;
}

const observed = once(observeHandling);
/** Of each run, what was seen when nothing was wrong: of a receiver whose handlers stop later, nothing more is seen. */
const proven = new WeakMap<object, Handling>();

/** Shared by all checks of effects: runs of both types to each end, in order, and one of each that comes end first. */
export async function handlingOf(context: CheckContext): Promise<Handling> {
  const known = proven.get(context.run);
  if (known !== undefined) return known;
  const handling = await observed(context);
  if (handling.failures.size === 0) proven.set(context.run, handling);
  return handling;
}

/** Of each run, the check that saw the handlers of its receiver stop. */
const stops = new WeakMap<object, string>();

/** Notes that the handlers have stopped. The first check that sees it reports it: throws in any other. */
export function noteStop({ run, id }: CheckContext): void {
  const reporting = stops.get(run) ?? id;
  stops.set(run, reporting);
  if (reporting === id) return;
  throw new Inconclusive('Cannot judge: the receiver has stopped handling events.', {
    reportedBy: reporting,
  });
}

/** What the receiver handles, for the checks that need it. Inconclusive when nothing can be judged: another check reports it. */
export async function reliableHandlingOf(context: CheckContext): Promise<Handling> {
  const handling = await handlingOf(context);
  const [runType] = handling.failures.keys();
  if (!handling.isReliable && runType !== undefined) throw seeCheckOf(runType);
  if (stops.has(context.run)) noteStop(context);
  return handling;
}

/** Refers to the check that reports why effects cannot be judged. */
export function seeCheckOf(runType: RunType): Inconclusive {
  return new Inconclusive('Cannot judge: the receiver does not handle each accepted event once.', {
    reportedBy: `receiver.effect.${runType}-run`,
  });
}

/** How long to wait for effects that are missing when others took this long. */
export function graceFor(milliseconds: number): number {
  const { times, minimumMilliseconds, maxMilliseconds } = GRACE;
  return Math.min(Math.max(milliseconds * times, minimumMilliseconds), maxMilliseconds);
}

interface Sent {
  readonly inOrder: readonly RealEvent[];
  readonly endFirst: readonly RealEvent[];
  /** Events that were not accepted; the events of their run that follow were not sent. */
  readonly refusals: ReadonlyMap<RunType, Violation>;
}

/** The attempt before of a run: of a receiver that handles events much later something is known by now. */
interface Before {
  readonly events: readonly RealEvent[];
  readonly isShown: boolean;
  readonly reporting: RunType | undefined;
}
const attemptBefore = new WeakMap<object, Before>();

async function observeHandling(context: CheckContext): Promise<Handling> {
  const startedAt = context.now();
  const sent = await sendAll(context);
  const { inOrder, endFirst, refusals } = sent;
  const all = [...inOrder, ...endFirst];
  const isOurs = new Set(all.map(({ id }) => id));
  let shownAt = 0;
  await listedWith(context, {
    isEnough: (handled) => inOrder.every(({ id }) => handled.includes(id)),
    standstillMilliseconds: (handled) => {
      if (!handled.some((id) => isOurs.has(id))) return STANDSTILL_MILLISECONDS;
      shownAt ||= context.now();
      return graceFor(shownAt - startedAt);
    },
    wanted: inOrder[0],
  });
  const listed = await list(context);
  const before = attemptBefore.get(context.run);
  const count = new Map<string, number>();
  for (const id of listed.handled) count.set(id, (count.get(id) ?? 0) + 1);
  const isShown = all.some(({ id }) => count.has(id));
  if (all.length > 0 && !isShown) {
    attemptBefore.set(context.run, { events: all, isShown, reporting: 'workflow' });
    if (before?.isShown === false && before.events.some(({ id }) => count.has(id))) throw tooSlow();
    const failure = nothingHandled(all, listed, before?.isShown === true ? STOPPED : IDLE);
    const reporting = before?.reporting ?? 'workflow';
    return handlingBy(new Set(), all, new Map([[reporting, failure], ...refusals]), false);
  }
  const handledKinds = new Set(all.filter(({ id }) => count.has(id)).map(keyOf));
  const faults = RUN_TYPES.flatMap((runType) => {
    const own = inOrder.filter(({ kind }) => kind.runType === runType);
    const fault = faultIn(own, handledKinds, count, listed);
    return fault === null ? [] : [[runType, fault] as const];
  });
  const failures = new Map([...faults, ...refusals]);
  attemptBefore.set(context.run, { events: all, isShown, reporting: faults[0]?.[0] });
  return handlingBy(handledKinds, all, failures, faults.length === 0);
}

/** Runs of one type and copy come one after the other, each in order. */
async function sendAll(context: CheckContext): Promise<Sent> {
  const inOrder: RealEvent[] = [];
  const endFirst: RealEvent[] = [];
  const refusals = new Map<RunType, Violation>();
  /** Each run as a whole: a receiver may refuse a change until the creation has arrived. */
  const sendBackwards = async (runs: readonly (readonly RealEvent[])[]): Promise<void> => {
    for (const run of runs) {
      const runType = run[0]?.kind.runType ?? 'workflow';
      try {
        await expectAllAccepted(context, run, `an event of a ${runType} run`);
        endFirst.push(...run);
      } catch (error) {
        if (!(error instanceof Violation)) throw error;
        refusals.set(runType, refusals.get(runType) ?? error);
      }
    }
  };
  const send = async (runs: readonly (readonly RealEvent[])[], to: RealEvent[]): Promise<void> => {
    for (const event of runs.flat()) {
      const { runType } = event.kind;
      try {
        await expectAccepted(context, signed(context, event), `an event of a ${runType} run`);
        to.push(event);
      } catch (error) {
        if (!(error instanceof Violation)) throw error;
        refusals.set(runType, refusals.get(runType) ?? error);
      }
    }
  };
  const ordered = RUN_TYPES.flatMap((runType) =>
    COPIES.map((copy) =>
      PATHS.map((path, index) => runOf(context, `${runType}${copy}to${index}`, path, { runType })),
    ),
  );
  const reversed = RUN_TYPES.map((runType) => [
    runOf(context, `${runType}endfirst`, END_FIRST, { runType }).toReversed(),
  ]);
  await Promise.all(ordered.map((runs) => send(runs, inOrder)));
  await Promise.all(reversed.map(sendBackwards));
  return { inOrder, endFirst, refusals };
}

/** The first event that did not take effect once, although others of its kind took effect. */
function faultIn(
  events: readonly RealEvent[],
  handledKinds: ReadonlySet<string>,
  count: ReadonlyMap<string, number>,
  { response }: Listed,
): Violation | null {
  const concerned = events.filter((event) => handledKinds.has(keyOf(event)));
  const lost = concerned.filter(({ id }) => !count.has(id));
  const [first] = lost;
  if (first !== undefined) {
    return new Violation({
      expected: 'an effect of each accepted event of a kind that takes effect',
      actual: `no effect of ${lost.length} of ${concerned.length} accepted events, the first of them ${first.id}, ${nameOf(first.kind)}`,
      diagnosis: LOSES,
      exchange: response.exchange,
    });
  }
  const twice = concerned.find(({ id }) => count.get(id) !== 1);
  if (twice === undefined) return null;
  return new Violation({
    expected: `one effect of ${twice.id}, delivered once, in order`,
    actual: `${count.get(twice.id)} effects`,
    exchange: response.exchange,
  });
}

function nothingHandled(
  events: readonly RealEvent[],
  { response }: Listed,
  diagnosis: Diagnosis,
): Violation {
  return new Violation({
    expected: 'an effect of at least one accepted event',
    actual: `no effect of any of ${events.length} accepted events of every kind within ${STANDSTILL_MILLISECONDS / 1000} s`,
    diagnosis,
    exchange: response.exchange,
  });
}

function tooSlow(): Inconclusive {
  return new Inconclusive(
    `Cannot judge: the observer shows events later than ${STANDSTILL_MILLISECONDS / 1000} s after their delivery.`,
  );
}

function handlingBy(
  handledKinds: ReadonlySet<string>,
  sent: readonly RealEvent[],
  failures: ReadonlyMap<RunType, Violation>,
  isReliable: boolean,
): Handling {
  const sentKinds = new Set(sent.map(keyOf));
  return {
    isHandled(event) {
      const key = keyOf(event);
      if (sentKinds.has(key)) return handledKinds.has(key);
      // A transition that was not made before counts like the others to its status.
      const { runType, status, previousStatus } = event.kind;
      const alike = sent.filter(
        ({ kind }) =>
          kind.runType === runType &&
          kind.status === status &&
          (kind.previousStatus === undefined) === (previousStatus === undefined),
      );
      return alike.length > 0 && alike.every((one) => handledKinds.has(keyOf(one)));
    },
    handlesRunsOf: (runType) =>
      sent.some((event) => event.kind.runType === runType && handledKinds.has(keyOf(event))),
    failures,
    isReliable,
  };
}

function keyOf({ kind: { runType, previousStatus, status } }: RealEvent): string {
  return `${runType} ${previousStatus ?? ''} ${status}`;
}
