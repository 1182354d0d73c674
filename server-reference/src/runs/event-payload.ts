import { API_VERSION } from '@hookproof/spec';
import type { RunSnapshot, RunStatus } from '@hookproof/spec';

/** The largest event body, in bytes; an output that would lead above it is left out. */
export const PAYLOAD_LIMIT_BYTES = 262_144;

export interface EventFacts {
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly test: boolean;
  readonly run: RunSnapshot;
  /** Present for `run.status_changed`, absent for `run.created`. */
  readonly previousStatus?: RunStatus | undefined;
}

/** The exact text that every attempt of this event sends. */
export function eventPayload(facts: EventFacts): string {
  const whole = JSON.stringify(envelope(facts, facts.run));
  if (Buffer.byteLength(whole) <= PAYLOAD_LIMIT_BYTES) return whole;
  const { output: _omitted, ...rest } = facts.run;
  return JSON.stringify(envelope(facts, { ...rest, outputOmitted: true }));
}

function envelope(facts: EventFacts, run: RunSnapshot): object {
  const change =
    facts.previousStatus === undefined
      ? {}
      : { previousStatus: facts.previousStatus, currentStatus: run.status };
  return {
    id: facts.id,
    type: facts.previousStatus === undefined ? 'run.created' : 'run.status_changed',
    apiVersion: API_VERSION,
    createdAt: facts.createdAt,
    test: facts.test,
    data: { ...change, run },
  };
}
