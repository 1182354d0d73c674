import { setTimeout as sleep } from 'node:timers/promises';

import type { RunStatus } from '@hookproof/spec';

import { area } from '../../check-kit/area.ts';
import type { Area } from '../../check-kit/area.ts';
import type { CheckContext } from '../../check-kit/check.ts';
import type { ApiResponse } from '../../clients/api-client.ts';
import { isRecord } from '../../http/message.ts';
import type { SuiteEvent } from '../../signing/run-event.ts';
import { CouldNotRun, Inconclusive, Violation } from '../../verdict/findings.ts';
import { assumeAccepted } from './deliver.ts';
import { runOf } from './real-run.ts';

/** How often the observer is read: the pause grows to the maximum. */
const PAUSE = { firstMilliseconds: 5, maxMilliseconds: 250 };
/** How long the observer may stay unchanged while it owes an effect. A receiver may wait for earlier events. */
const STANDSTILL_MILLISECONDS = 30_000;
/** A missing effect may take this many times as long as that of a later run, within these limits. */
const GRACE = { times: 5, minimumMilliseconds: 250, maxMilliseconds: 30_000 };

/** Two ends, so that a receiver which misses one of them is judged too. */
const LATER_RUNS: readonly (readonly RunStatus[])[] = [
  ['pending', 'running', 'completed'],
  ['pending', 'cancelled'],
];

/** A test event has no effect, so checks of effects deliver real events, and count as writes. */
export const receiverEffect: Area = area('receiver', {
  access: 'write',
  needs: ['receiver', 'receiver.observer'],
  timeoutMilliseconds: 120_000,
});

/** What took effect in the receiver, as its observer reports it. */
export interface Observed {
  /** Ids of events, one for each effect, in the order of the run as the receiver sees it. */
  readonly handled: readonly string[];
  /** Its exchange costs time to show, so only a violation asks for it. */
  readonly response: ApiResponse;
}

/**
 * What has taken effect after all deliveries of a check. Later runs show how long the receiver takes; a `wanted` event
 * that is still missing long after the end of one of them has no effect. Throws `Inconclusive` if none takes effect.
 */
export async function afterLater(
  context: CheckContext,
  label: string,
  wanted: readonly SuiteEvent[],
): Promise<Observed> {
  const later = LATER_RUNS.map((statuses) =>
    runOf(context, `${label}${statuses.length}`, statuses),
  );
  const startedAt = context.now();
  for (const event of later.flat()) await assumeAccepted(context, event);
  const ends = later.flatMap((run) => run.slice(-1));
  const known = await observedWith(
    context,
    (handled) => ends.some(({ id }) => handled.includes(id)),
    {
      waitMilliseconds: STANDSTILL_MILLISECONDS,
      whileGrowing: true,
    },
  );
  if (known === null) throw await standstill(context, [...wanted, ...later.flat()]);
  const grace = (context.now() - startedAt) * GRACE.times;
  const { minimumMilliseconds, maxMilliseconds } = GRACE;
  const waitMilliseconds = Math.min(Math.max(grace, minimumMilliseconds), maxMilliseconds);
  const isComplete = (handled: readonly string[]): boolean =>
    wanted.every(({ id }) => handled.includes(id));
  const complete = await observedWith(context, isComplete, {
    waitMilliseconds,
    whileGrowing: false,
  });
  return complete ?? observe(context);
}

/**
 * Why the end of neither later run took effect. The receiver has lost an event when one that it accepted afterwards took
 * effect; else its observer may show something else, or it waits.
 */
async function standstill(
  context: CheckContext,
  accepted: readonly SuiteEvent[],
): Promise<Inconclusive> {
  const observed = await observe(context);
  const isHandled = ({ id }: SuiteEvent): boolean => observed.handled.includes(id);
  const newest = accepted.findLast(isHandled);
  const lost = accepted
    .slice(0, newest === undefined ? 0 : accepted.indexOf(newest))
    .find((event) => !isHandled(event));
  const seconds = STANDSTILL_MILLISECONDS / 1000;
  if (newest === undefined || lost === undefined) {
    return new Inconclusive(
      `Cannot judge: the receiver accepted two runs, and its observer did not change for ${seconds} s.`,
    );
  }
  return new LostEvent(
    new Violation({
      expected: 'an effect of every accepted event',
      actual: `no effect of ${lost.id}, while ${newest.id}, accepted after it, took effect ${seconds} s ago`,
      exchange: observed.response.exchange,
    }),
  );
}

/** Accepted events take no effect, so that no other effect can be judged. The checks of whole runs report it. */
export class LostEvent extends Inconclusive {
  override readonly name = 'LostEvent';
  readonly violation: Violation;

  constructor(violation: Violation) {
    super(
      'Cannot judge: the receiver loses events that it has accepted. See receiver.effect.workflow-run.',
    );
    this.violation = violation;
  }
}

/** What is observed as soon as the list is as asked for; null if that takes too long. */
async function observedWith(
  context: CheckContext,
  isEnough: (handled: readonly string[]) => boolean,
  until: { readonly waitMilliseconds: number; readonly whileGrowing: boolean },
): Promise<Observed | null> {
  let length = 0;
  let end = context.now() + until.waitMilliseconds;
  for (let wait = PAUSE.firstMilliseconds; ; wait = Math.min(wait * 2, PAUSE.maxMilliseconds)) {
    const observed = await observe(context);
    const { handled } = observed;
    if (isEnough(handled)) return observed;
    if (until.whileGrowing && handled.length !== length) {
      end = context.now() + until.waitMilliseconds;
    }
    length = handled.length;
    if (context.now() > end) return null;
    await sleep(wait, undefined, { signal: context.signal });
  }
}

/** Reads the observer. Throws `CouldNotRun` for a response without the documented members. */
async function observe({ receiver }: CheckContext): Promise<Observed> {
  const response = await receiver.observe();
  const { json } = response;
  const listed = isRecord(json) ? json['handled'] : undefined;
  if (!Array.isArray(listed)) throw malformed();
  const handled = listed.map((entry: unknown) => {
    const id = isRecord(entry) ? entry['id'] : undefined;
    if (typeof id !== 'string') throw malformed();
    return id;
  });
  return { handled, response };
}

function malformed(): CouldNotRun {
  return new CouldNotRun(
    'the observer does not list the handled events',
    'respond to GET --observer URL with { "handled": [{ "id", "runId", "type", "status" }] }',
  );
}
