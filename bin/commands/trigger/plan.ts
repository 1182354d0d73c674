import { randomUUID } from 'node:crypto';

import { UsageError } from '../../command-line/errors.ts';
import { readData, readSaved } from './given-event.ts';
import type { TriggerOptions } from './options.ts';
import { payloadsOf } from './payloads.ts';
import type { Scenario } from '@hookproof/spec/scenarios';
import { setValue } from './set-value.ts';

/** The time of the first event with `--seed`. */
const SEED_STARTS_AT = '2026-07-01T12:00:00.000Z';

/** Returns whether the events of a real run cannot be these. */
export function needsPayloads(scenario: Scenario, options: TriggerOptions): boolean {
  const { set, data, from, seed } = options;
  const isGiven = [set, data, from, seed].some((option) => option !== undefined);
  return isGiven || scenario.replaced !== undefined || scenario.isSimultaneous === true;
}

/**
 * Returns the payloads of one round, in the order in which their events happened.
 *
 * @param round - 0 for the first of `--times`
 * @throws {UsageError} for a path or a file that does not fit
 */
export function roundOf(scenario: Scenario, options: TriggerOptions, round: number): string[] {
  const { seed, data, from, set = [] } = options;
  const isSeeded = seed !== undefined;
  const payloads = payloadsOf(scenario, {
    seed: `${isSeeded ? seed : randomUUID()} ${round}`,
    startsAt: isSeeded ? SEED_STARTS_AT : new Date().toISOString(),
  });
  const given = data === undefined ? undefined : readData(data, payloads[0]);
  const text = from === undefined ? given : readSaved(from);
  if (text !== undefined) refuseWhole(scenario, data === undefined ? '--from' : '--data');
  if (text !== undefined && set.length === 0) return [text];
  const changed: unknown[] = text === undefined ? payloads : [JSON.parse(text)];
  for (const one of set) setValue(changed, one);
  return changed.map((payload) => JSON.stringify(payload));
}

/** One event replaces those of a run, so only what applies to each event is left of the scenario. */
function refuseWhole(scenario: Scenario, option: string): void {
  const { name, fault, statuses } = scenario;
  if (fault !== undefined || statuses.length === 1 || name === 'completed') return;
  throw new UsageError(
    `${option} sends one event, but ${name} is a whole run. Use it with duplicates, stale, future, wrong-secret or tampered, or without a scenario.`,
  );
}
