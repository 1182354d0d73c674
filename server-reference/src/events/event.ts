import { API_VERSION, EVENT_ID_PREFIX, RUN_STATUSES } from '@hookproof/spec';
import type { RunSnapshot, RunStatus } from '@hookproof/spec';

import { isoTime } from '../clock/clock.ts';
import type { DeliveryRecord, EventRecord, WebhookEndpointRecord } from '../store/deliveries.ts';
import type { DeepReadonly } from '../store/read-only.ts';
import type { RunRecord } from '../store/runs.ts';
import { nextId } from '../store/seed.ts';
import type { ReadonlyState, State } from '../store/state.ts';
import { newDelivery } from './delivery.ts';
import { runSnapshot } from './run-snapshot.ts';

/** Maximum size of an event body in bytes. The output of a larger event is omitted. */
export const PAYLOAD_LIMIT_BYTES = 262_144;

interface EventFacts {
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly test: boolean;
  readonly run: RunSnapshot;
  /** Present for `run.status_changed`, absent for `run.created`. */
  readonly previousStatus?: RunStatus | undefined;
}

/** Returns the exact payload that every attempt of this event sends. */
export function eventPayload(facts: EventFacts): string {
  const { output, ...run } = facts.run;
  const whole = JSON.stringify(envelope(facts, facts.run));
  if (output === undefined || Buffer.byteLength(whole) <= PAYLOAD_LIMIT_BYTES) return whole;
  return JSON.stringify(envelope(facts, { ...run, outputOmitted: true }));
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

/**
 * Adds the event of a run's creation (without `previousStatus`) or transition, and one delivery for each
 * enabled endpoint of its tenant. Only top-level runs emit events.
 */
export function emitRunEvent(
  state: State,
  now: number,
  run: DeepReadonly<RunRecord>,
  previousStatus?: RunStatus,
): DeliveryRecord[] {
  if (run.origin !== 'top-level') return [];
  const id = nextId(state, EVENT_ID_PREFIX);
  const createdAt = run.history.at(-1)?.at ?? isoTime(now);
  const facts = { id, createdAt, test: false, previousStatus };
  const event: EventRecord = {
    id,
    worldId: run.worldId,
    type: previousStatus === undefined ? 'run.created' : 'run.status_changed',
    runId: run.id,
    payload: eventPayload({ ...facts, run: runSnapshot(run) }),
    test: false,
    createdAt,
  };
  state.events.add(event);
  return [...state.webhookEndpoints.values()]
    .filter((endpoint) => belongsTo(state, endpoint, run) && endpoint.enabled)
    .map((endpoint) => newDelivery(state, now, event, endpoint));
}

/** An endpoint receives events only of its world's own tenant. */
function belongsTo(
  state: ReadonlyState,
  { worldId }: DeepReadonly<WebhookEndpointRecord>,
  { tenantId }: DeepReadonly<RunRecord>,
): boolean {
  return state.worlds.get(worldId)?.tenantId === tenantId;
}

/** Adds a Send test event for one endpoint. Its run does not exist in the state. */
export function emitTestEvent(
  state: State,
  now: number,
  endpoint: DeepReadonly<WebhookEndpointRecord>,
): DeliveryRecord {
  const id = nextId(state, EVENT_ID_PREFIX);
  const createdAt = isoTime(now);
  const event: EventRecord = {
    id,
    worldId: endpoint.worldId,
    type: 'run.created',
    runId: null,
    payload: eventPayload({
      id,
      createdAt,
      test: true,
      run: {
        id: nextId(state, 'exec_'),
        automationId: nextId(state, 'wf_'),
        type: 'workflow',
        status: 'pending',
        triggerType: 'manual',
        createdAt,
        startedAt: null,
        completedAt: null,
      },
    }),
    test: true,
    createdAt,
  };
  state.events.add(event);
  return newDelivery(state, now, event, endpoint);
}

/** Returns the status of the run in an event. A payload of a caller's choice can have any `data`. */
export function runStatusOf(event: DeepReadonly<EventRecord>): RunStatus | null {
  const { data }: Payload = JSON.parse(event.payload);
  return RUN_STATUSES.find((status) => status === data?.run?.status) ?? null;
}

interface Payload {
  readonly data?: { readonly run?: { readonly status?: unknown } | null } | null;
}
