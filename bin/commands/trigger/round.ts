import type { AttemptRow, SentScenario } from '@hookproof/spec/control';

import type { WatchedAttempts } from '../../running/watch-attempts.ts';
import { judge } from './expectation.ts';
import type { Judgement } from './expectation.ts';
import type { TriggerOptions } from './options.ts';
import type { Scenario } from '@hookproof/spec/scenarios';
import type { Target } from './target.ts';

/**
 * Retries continue on the running server. Without one, they end with the command. With a virtual clock, nothing follows
 * what was sent at once.
 */
const WAIT_MILLISECONDS = { running: 10_000, own: 60_000, virtual: 1_000 };

/** A delivery of the round, judged. */
interface RoundDelivery extends Judgement {
  readonly id: string;
  readonly attempts: readonly AttemptRow[];
}

/** What became of the events of one round. */
export interface Round {
  readonly isExpected: boolean;
  readonly deliveries: readonly RoundDelivery[];
  /** The number of deliveries that are held back until tomorrow. */
  readonly held: number;
  /** Whether further attempts follow on the running server, and whether its clock must be advanced for them. */
  readonly goesOn: 'no' | 'by-itself' | 'with-the-clock' | 'cut-off';
}

/**
 * Sends one round. Waits for its attempts and judges them.
 *
 * @param payloads - what is sent; undefined for the events of a run that the server makes
 */
export async function sendRound(
  scenario: Scenario,
  payloads: readonly string[] | undefined,
  target: Target,
  watched: WatchedAttempts,
  options: TriggerOptions,
): Promise<Round> {
  const { deliveries: sent } = await target.control<SentScenario>('POST', '/scenarios', {
    scenario: scenario.name,
    ...(payloads === undefined ? {} : { payloads }),
  });
  const own = sent.filter(({ isHeld }) => !isHeld).map(({ id }) => id);
  watched.add(own);
  const areSettled = (): boolean => own.every((id) => isSettled(watched.of(id)));
  const isOver = await watched.until(areSettled, waitMilliseconds(target));
  const deliveries = own.map((id) => {
    const attempts = watched.of(id);
    return { id, attempts, ...judge(attempts, scenario, options.expect) };
  });
  return {
    isExpected: deliveries.length > 0 && deliveries.every((one) => one.isExpected),
    deliveries,
    held: sent.length - own.length,
    goesOn: isOver ? 'no' : whatFollows(target),
  };
}

function waitMilliseconds({ isOwn, isVirtual }: Target): number {
  if (isVirtual) return WAIT_MILLISECONDS.virtual;
  return isOwn ? WAIT_MILLISECONDS.own : WAIT_MILLISECONDS.running;
}

/** Returns whether no further attempt follows. */
function isSettled(attempts: readonly AttemptRow[]): boolean {
  const last = attempts.at(-1);
  return last !== undefined && last.deliveryStatus !== 'pending';
}

function whatFollows({ isOwn, isVirtual }: Target): Round['goesOn'] {
  if (isOwn) return 'cut-off';
  return isVirtual ? 'with-the-clock' : 'by-itself';
}
