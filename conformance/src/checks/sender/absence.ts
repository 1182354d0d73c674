import { optionRemedy } from '../../options/remedies.ts';
import { Inconclusive, Violation } from '../../verdict/findings.ts';
import type { ReceivedDelivery } from '../../listener/delivery.ts';
import type { Waited } from '../../driver/wait-strategy.ts';
import { recordedAttempts, retryDelays } from './attempts.ts';
import { byEvent } from './arrivals.ts';
import type { Arrivals } from './arrivals.ts';
import type { Scene } from './scenes/scene.ts';

/** Delays vary from retry to retry: a retry is late after this many times the slowest one, and not before. */
const SLACK_FACTOR = 2;
const SLACK_MILLISECONDS = 5_000;

/** What follows from something that did not arrive. `more` is appended to how long it was waited for. */
export function absence(
  scene: Pick<Scene, 'deliveries' | 'waited'>,
  expected: string,
  more = '',
): Violation | Inconclusive {
  const { doubt } = scene.waited;
  if (doubt !== null) return new Inconclusive(`Cannot judge: expected ${expected}, but ${doubt}.`);
  const actual = `none within ${waitedText(scene.waited)}${more}`;
  const slowness = slownessOf(scene);
  if (slowness === null) return new Violation({ expected, actual });
  return new Inconclusive(`Cannot judge: expected ${expected}, got ${actual}. ${slowness}`, {
    remedy: optionRemedy('retryWindow'),
  });
}

/**
 * Whether the sender made several attempts of an event, some of them without a response: it retries, and something lost
 * or outran requests or responses, so that none may be left for what it was sent. A response to what did not arrive is no
 * excuse.
 */
export function isLost({ records }: Pick<Scene, 'records'>, delivery: ReceivedDelivery): boolean {
  const attempts = recordedAttempts(records, delivery);
  return attempts.length > 1 && attempts.some(({ error }) => error !== null);
}

/** Why an event may still arrive on a real clock: the contract does not say how soon. Null when the sender is quick. */
function slownessOf({ deliveries, waited }: Pick<Scene, 'deliveries' | 'waited'>): string | null {
  if (waited.clock === 'virtual') return null;
  if (deliveries.length === 0) {
    return 'Nothing else arrived either, and the contract does not say how soon an event is sent.';
  }
  const slowest = Math.max(...sendingDelays(deliveries));
  if (waited.milliseconds >= slowest * SLACK_FACTOR) return null;
  return `That is too short: other events were sent up to ${seconds(slowest)} after their creation.`;
}

/** How long each event waited for its first attempt, by the clock of its sender, in milliseconds. */
function sendingDelays(deliveries: Arrivals): readonly number[] {
  return [...byEvent(deliveries).values()].flatMap(([first]) => {
    const signed = Number(first?.header('webhook-timestamp')) * 1000;
    const created = Date.parse(String(first?.event['createdAt']));
    return Number.isNaN(signed) || Number.isNaN(created) ? [] : [signed - created];
  });
}

function waitedText({ milliseconds, clock }: Waited): string {
  return clock === 'real'
    ? seconds(milliseconds)
    : `${seconds(milliseconds)} of the deployment's virtual clock`;
}

/**
 * What follows from retries that did not arrive. On a real clock only a schedule that other events have shown makes it a
 * violation: the contract does not say when a retry comes.
 *
 * @param firsts - the first delivery of each event that was not retried
 */
export function missingRetry(
  scene: Pick<Scene, 'deliveries' | 'waited' | 'endedAt' | 'records'>,
  firsts: Arrivals,
  expected: string,
): Violation | Inconclusive {
  const { deliveries, waited, endedAt } = scene;
  const lost = firsts.find((first) => isLost(scene, first));
  if (lost !== undefined) {
    return new Inconclusive(
      `Cannot judge: expected ${expected}. The sender lists several attempts of ${String(lost.event['id'])}, and some of them got no response.`,
    );
  }
  if (waited.clock === 'virtual' || waited.doubt !== null) return absence(scene, expected);
  const slowest = Math.max(...retryDelays(deliveries));
  if (slowest === -Infinity) return noRetryYet();
  const observed = endedAt - Math.max(...firsts.map(({ arrivedAt }) => arrivedAt));
  if (observed < slowest * SLACK_FACTOR + SLACK_MILLISECONDS) {
    return new Inconclusive(
      'Cannot judge: the retry window is too short. It ended before this retry was later than twice the slowest one.',
      { remedy: optionRemedy('retryWindow') },
    );
  }
  const others = `other events were retried after at most ${seconds(slowest)}`;
  return new Violation({ expected, actual: `none within ${seconds(observed)}, while ${others}` });
}

/** One text for all checks, so that a report shows one reason. */
export function noRetryYet(): Inconclusive {
  return new Inconclusive(
    'Cannot judge: no event was retried within the retry window, and the contract does not say how soon a retry comes.',
    { remedy: optionRemedy('retryWindow') },
  );
}

function seconds(milliseconds: number): string {
  return `${Math.max(1, Math.round(milliseconds / 1000))} s`;
}
