import type { AttemptRow, SentScenario } from '@hookproof/spec/control';

import type { WatchedAttempts } from '../../running/watch-attempts.ts';
import { judge } from './expectation.ts';
import type { Judgement } from './expectation.ts';
import type { TriggerOptions } from './options.ts';
import { needsPayloads } from './plan.ts';
import type { Scenario } from '@hookproof/spec/scenarios';
import type { Target } from './target.ts';

/** Retries continue on the running server. Without one, they end with the command. With a virtual clock, none follows. */
const WAIT_MILLISECONDS = { running: 10_000, own: 60_000, virtual: 1_000 };

/** A delivery of the round, judged. */
export interface RoundDelivery extends Judgement {
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

/** Sends one round, as a run of the server or by its payloads. Waits for its attempts and judges them. */
export async function sendRound(
  scenario: Scenario,
  payloads: readonly string[],
  target: Target,
  watched: WatchedAttempts,
  options: TriggerOptions,
): Promise<Round> {
  const { deliveries: sent } = await target.control<SentScenario>('POST', '/scenarios', {
    scenario: scenario.name,
    ...(target.isOwn || needsPayloads(options) ? { payloads } : {}),
  });
  const own = sent.filter(({ isHeld }) => !isHeld).map(({ id }) => id);
  watched.add(own);
  const isOver = await settle(own, target, watched);
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

async function settle(
  ids: readonly string[],
  target: Target,
  watched: WatchedAttempts,
): Promise<boolean> {
  const areSettled = (): boolean => ids.every((id) => isSettled(watched.of(id)));
  // With a virtual clock, nothing follows what was sent at once.
  const wait = target.isOwn ? WAIT_MILLISECONDS.own : WAIT_MILLISECONDS.running;
  await watched.until(areSettled, target.isVirtual ? WAIT_MILLISECONDS.virtual : wait);
  return areSettled();
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
