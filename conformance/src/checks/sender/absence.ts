import { REMEDIES } from '../../options/facts.ts';
import { Inconclusive, Violation } from '../../verdict/findings.ts';
import type { Waited } from '../../driver/wait-strategy.ts';
import { retryDelays } from './attempts.ts';
import type { Arrivals } from './arrivals.ts';
import type { Scene } from './scenes/scene.ts';

/** Delays vary from retry to retry: a retry is late after this many times the slowest one, and not before. */
const SLACK_FACTOR = 2;
const SLACK_MILLISECONDS = 5_000;

/** What follows from something that did not arrive. `more` is appended to how long it was waited for. */
export function absence(
  { time, doubt }: Waited,
  expected: string,
  more = '',
): Violation | Inconclusive {
  if (doubt !== null) return new Inconclusive(`Cannot judge: expected ${expected}, but ${doubt}.`);
  return new Violation({ expected, actual: `none within ${time}${more}` });
}

/**
 * What follows from retries that did not arrive. On a real clock only a schedule that other events have shown makes it a
 * violation: the contract does not say when a retry comes.
 *
 * @param firsts - the first delivery of each event that was not retried
 */
export function missingRetry(
  { deliveries, waited, endedAt }: Scene,
  firsts: Arrivals,
  expected: string,
): Violation | Inconclusive {
  if (waited.clock === 'virtual' || waited.doubt !== null) return absence(waited, expected);
  const slowest = Math.max(...retryDelays(deliveries));
  const observed = endedAt - Math.max(...firsts.map(({ arrivedAt }) => arrivedAt));
  const none = `Cannot judge: expected ${expected}, got none within ${seconds(observed)}.`;
  if (slowest === -Infinity) {
    return new Inconclusive(
      `${none} No other event was retried either, and the contract does not say how soon a retry comes.`,
      { remedy: REMEDIES.retryWindow },
    );
  }
  const others = `other events were retried after at most ${seconds(slowest)}`;
  if (observed < slowest * SLACK_FACTOR + SLACK_MILLISECONDS) {
    return new Inconclusive(`${none} That is too short: ${others}.`, {
      remedy: REMEDIES.retryWindow,
    });
  }
  return new Violation({ expected, actual: `none within ${seconds(observed)}, while ${others}` });
}

function seconds(milliseconds: number): string {
  return `${Math.max(1, Math.round(milliseconds / 1000))} s`;
}
