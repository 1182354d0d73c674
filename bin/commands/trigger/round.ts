import type { AttemptRow, Delivery } from '@hookproof/spec/control';

import type { WatchedAttempts } from '../../running/watch-attempts.ts';
import { judge } from './expectation.ts';
import type { Judgement } from './expectation.ts';
import type { TriggerOptions } from './options.ts';
import { needsPayloads } from './plan.ts';
import type { Scenario } from '@hookproof/spec/scenarios';
import { sendEvents } from './send-events.ts';
import { sendRun } from './send-run.ts';
import { isSettled, startSending } from './sending.ts';
import type { Sending } from './sending.ts';
import type { Target } from './target.ts';

/** Retries continue on the running server. Without one, they end with the command. */
const WAIT_MILLISECONDS = { running: 10_000, own: 60_000 };

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

/** Sends one round, as a run of the server if it can be one, else by its payloads. Waits for its attempts and judges them. */
export async function sendRound(
  scenario: Scenario,
  payloads: readonly string[],
  target: Target,
  watched: WatchedAttempts,
  options: TriggerOptions,
): Promise<Round> {
  const sending = startSending(target, watched);
  const isOfRun = !target.isOwn && !needsPayloads(scenario, options);
  if (isOfRun) await sendRun(scenario, sending);
  else await sendEvents(payloads, scenario, sending);
  const isOver = await settle(scenario, sending);
  const own = sending.deliveries.filter(({ isHeld }) => !isHeld);
  const deliveries = own.map(({ id }) => {
    const attempts = watched.of(id);
    return { id, attempts, ...judge(attempts, scenario, options.expect) };
  });
  return {
    isExpected: deliveries.length > 0 && deliveries.every((one) => one.isExpected),
    deliveries,
    held: sending.deliveries.length - own.length,
    goesOn: isOver ? 'no' : whatFollows(target),
  };
}

async function settle({ fault }: Scenario, sending: Sending): Promise<boolean> {
  const { deliveries, watched, target } = sending;
  if (fault?.name === 'duplicate') await addCopies(sending);
  const own = deliveries.filter(({ isHeld }) => !isHeld);
  const areSettled = (): boolean => own.every(({ id }) => isSettled(watched.of(id)));
  // With a virtual clock, only what is due at once follows the first attempt.
  const areLater = fault?.name === 'duplicate' && fault.apartMilliseconds !== undefined;
  const mustAdvance = (): boolean =>
    target.isVirtual && (areLater || own.every(({ id }) => watched.of(id).length > 0));
  const wait = target.isOwn ? WAIT_MILLISECONDS.own : WAIT_MILLISECONDS.running;
  await watched.until(() => areSettled() || mustAdvance(), wait);
  return areSettled();
}

/** The fault adds deliveries of the same event with the first attempt. */
async function addCopies({ deliveries, target, sent, firstAttempts }: Sending): Promise<void> {
  await firstAttempts();
  for (const id of deliveries.map((one) => one.id)) {
    const { eventId } = await target.control<Delivery>('GET', `/deliveries/${id}`);
    const found = await target.control<{ data: Delivery[] }>(
      'GET',
      `/deliveries?eventId=${eventId}`,
    );
    sent(found.data.map((delivery) => delivery.id));
  }
}

function whatFollows({ isOwn, isVirtual }: Target): Round['goesOn'] {
  if (isOwn) return 'cut-off';
  return isVirtual ? 'with-the-clock' : 'by-itself';
}
