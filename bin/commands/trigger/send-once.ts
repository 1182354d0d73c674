import type { Scenario } from '@hookproof/spec/scenarios';

import type { WatchedAttempts } from '../../running/watch-attempts.ts';
import { rememberTrigger } from './last-trigger.ts';
import type { TriggerOptions } from './options.ts';
import { needsPayloads } from './plan.ts';
import { sendRound } from './round.ts';
import type { Round } from './round.ts';
import type { Target } from './target.ts';

/** Sends one round as a run of the server if it can be one, else by its payloads, and remembers it for `--again`. */
export async function sendOnce(
  scenario: Scenario,
  payloads: readonly string[],
  target: Target,
  watched: WatchedAttempts,
  options: TriggerOptions,
): Promise<Round> {
  const isOfRun = !target.isOwn && !needsPayloads(scenario, options);
  const round = await sendRound(scenario, isOfRun ? null : payloads, target, watched, options);
  rememberTrigger({ scenario: scenario.name, payloads: round.payloads }, process.env);
  return round;
}
