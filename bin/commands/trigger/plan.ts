import { randomUUID } from 'node:crypto';

import { UsageError } from '../../command-line/errors.ts';
import { readPayload, readSaved } from './given-event.ts';
import type { TriggerOptions } from './options.ts';
import { payloadsOf } from './payloads.ts';
import type { Scenario } from '@hookproof/spec/scenarios';

/** The time of the first event with `--seed`. */
const SEED_STARTS_AT = '2026-07-01T12:00:00.000Z';

/** Returns whether the command makes the payloads: those of a run that the running server makes have other ids. */
export function needsPayloads({ to, payload, from, seed }: TriggerOptions): boolean {
  return [to, payload, from, seed].some((option) => option !== undefined);
}

/**
 * Returns the payloads of one round, in the order in which their events happened.
 *
 * @param round - 0 for the first of `--times`
 * @throws {UsageError} for a file that does not fit
 */
export function roundOf(scenario: Scenario, options: TriggerOptions, round: number): string[] {
  const { seed, payload, from } = options;
  const isSeeded = seed !== undefined;
  const payloads = payloadsOf(scenario, {
    seed: `${isSeeded ? seed : randomUUID()} ${round}`,
    startsAt: isSeeded ? SEED_STARTS_AT : new Date().toISOString(),
  });
  const given = payload === undefined ? undefined : readPayload(payload, payloads[0]);
  const text = from === undefined ? given : readSaved(from);
  if (text === undefined) return payloads.map((one) => JSON.stringify(one));
  refuseWhole(scenario, payload === undefined ? '--from' : '--payload');
  return [text];
}

/** One event replaces those of a run, so only what applies to each event is left of the scenario. */
function refuseWhole(scenario: Scenario, option: string): void {
  const { name, fault, statuses } = scenario;
  if (fault !== undefined || statuses.length === 1 || name === 'completed') return;
  throw new UsageError(
    `${option} sends one event, but ${name} is a whole run. Use it with duplicates, stale, future, wrong-secret or tampered, or without a scenario.`,
  );
}
