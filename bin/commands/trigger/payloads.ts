import { createHash } from 'node:crypto';

import { runTimeline } from '@hookproof/receiver/testing';
import type { RunEvent, RunSnapshot } from '@hookproof/spec';

import { scenarioOutput } from '@hookproof/spec/scenarios';
import type { Scenario } from '@hookproof/spec/scenarios';

/** Same number, same bytes; without a number, new ids and the current time. */
interface PayloadSource {
  readonly seed: string;
  /** ISO 8601. */
  readonly startsAt: string;
}

/** Builds the events of a scenario, in the order in which they happened. */
export function payloadsOf(scenario: Scenario, { seed, startsAt }: PayloadSource): unknown[] {
  const { automation, statuses, isSimultaneous = false, isTest = false } = scenario;
  const events = runTimeline(statuses, {
    run: {
      id: idOf('exec_', seed),
      automationId: idOf(automation === 'agent' ? 'agent_' : 'wf_', seed),
      type: automation,
      triggerType: isTest ? 'manual' : 'api',
    },
    startsAt,
    stepMilliseconds: isSimultaneous ? 0 : 1000,
  });
  return events.map((event) => payloadOf(event, scenario));
}

function payloadOf(event: RunEvent, scenario: Scenario): object {
  const { isTest, replaced, output } = scenario;
  const { run } = event.data;
  // As on the platform, only a run that succeeded has an output.
  const result: Partial<RunSnapshot> =
    output === 'omitted' ? { outputOmitted: true } : { output: scenarioOutput(scenario) };
  if (run.status === 'completed') Object.assign(run, result);
  return { ...event, ...(isTest === true ? { test: true } : {}), ...replaced };
}

function idOf(prefix: string, seed: string): string {
  return prefix + createHash('sha256').update(`${prefix}${seed}`).digest('hex').slice(0, 20);
}
