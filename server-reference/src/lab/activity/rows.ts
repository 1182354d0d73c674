import type {
  ApiFaultRow,
  AttemptRow,
  DeliveryFaultRow,
  EndpointRow,
  EventRow,
  KeyRow,
  RunWithMoves,
  WorldSummary,
} from '@hookproof/spec/control';

import type {
  DeliveryAttemptRecord,
  DeliveryRecord,
  EventRecord,
  WebhookEndpointRecord,
} from '../../store/deliveries.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { runStatusOf } from '../../events/event.ts';
import { RUN_TRANSITIONS } from '../../events/run-transitions.ts';
import type { RunRecord } from '../../store/runs.ts';
import type { ReadonlyState } from '../../store/state.ts';
import type { ApiKeyRecord } from '../../store/tenants.ts';
import type { WorldRecord } from '../../store/world.ts';

import { explainAttempt } from '../attempts/explain-attempt.ts';
import type { SentRequest } from '../attempts/sent-requests.ts';
import type { InjectedApiFault, ApiFaultHit } from '../api-faults/api-fault-plan.ts';
import type {
  DeliveryFaultHit,
  InjectedDeliveryFault,
} from '../delivery-faults/delivery-fault-plan.ts';
import { attemptMilliseconds } from './delivery-row.ts';

const MAX_EXCERPT_CHARACTERS = 200;

/** Returns a world without its keys and fixtures. */
export function worldRow({
  keys: _keys,
  fixtures: _fixtures,
  ...row
}: DeepReadonly<WorldRecord>): WorldSummary {
  return row;
}

/** Returns an API key without its secret. */
export function keyRow({ key: _secret, scope, ...row }: DeepReadonly<ApiKeyRecord>): KeyRow {
  return { ...row, scope: [...scope] };
}

/** Returns an event without its payload. */
export function eventRow({ payload: _payload, ...row }: DeepReadonly<EventRecord>): EventRow {
  return row;
}

/** Returns a run without its values, and the statuses that it can be moved to. */
export function runRow(
  { automations }: Pick<ReadonlyState, 'automations'>,
  run: DeepReadonly<RunRecord>,
): RunWithMoves {
  const { id, worldId, tenantId, automationId, type, status, origin, triggerType } = run;
  const { createdAt, startedAt, completedAt } = run;
  return {
    id,
    worldId,
    tenantId,
    automationId,
    automationSlug: automations.get(automationId)?.slug ?? null,
    type,
    status,
    origin,
    triggerType,
    createdAt,
    startedAt,
    completedAt,
    allowedMoves: [...RUN_TRANSITIONS[status]],
  };
}

/** Returns an endpoint without its secret and its headers, which may hold one. */
export function endpointRow({
  id,
  worldId,
  url,
  enabled,
  createdAt,
}: DeepReadonly<WebhookEndpointRecord>): EndpointRow {
  return { id, worldId, url, enabled, createdAt };
}

/** Returns an attempt with what a reader needs to recognize its event. */
export function attemptRow(
  state: ReadonlyState,
  delivery: DeepReadonly<DeliveryRecord>,
  attempt: DeepReadonly<DeliveryAttemptRecord>,
  sent: SentRequest | null,
): AttemptRow {
  const { number, startedAt, trigger, deliveryFault, status, error } = attempt;
  const { id: deliveryId, eventId, type, runId, endpointId, nextAttemptAt } = delivery;
  const endpoint = state.webhookEndpoints.get(endpointId);
  const event = state.events.get(eventId);
  const currentSecret = endpoint?.secret;
  return {
    deliveryId,
    number,
    eventId,
    type,
    runStatus: event === undefined ? null : runStatusOf(event),
    runId,
    endpointId,
    url: endpoint?.url ?? null,
    startedAt,
    milliseconds: attemptMilliseconds(attempt),
    trigger,
    deliveryFault,
    status,
    error,
    responseExcerpt: excerptOf(attempt),
    explanation: explainAttempt({ attempt, delivery, sent, currentSecret }),
    deliveryStatus: delivery.status,
    nextAttemptAt,
  };
}

interface Armed {
  readonly armed: boolean;
}

/** Returns an API fault without the key that it matches, and its new hit. */
export function apiFaultRow(
  { recentHits: _hits, match, ...view }: InjectedApiFault & Armed,
  hit: ApiFaultHit | null,
): ApiFaultRow {
  const { key: _secret, ...shown } = match;
  return { fault: { ...view, match: shown }, hit };
}

/** Returns a delivery fault, and its new hit. */
export function deliveryFaultRow(
  { recentHits: _hits, ...view }: InjectedDeliveryFault & Armed,
  hit: DeliveryFaultHit | null,
): DeliveryFaultRow {
  return { fault: view, hit };
}

function excerptOf({ status, responseBody }: DeepReadonly<DeliveryAttemptRecord>): string | null {
  if (status === null || (status >= 200 && status < 300)) return null;
  return responseBody?.slice(0, MAX_EXCERPT_CHARACTERS) ?? null;
}
