import { RUN_STATUSES } from '@hookproof/spec';
import type { RunStatus } from '@hookproof/spec';
import type { DeliveryRow } from '@hookproof/spec/control';

import type { DeliveryAttemptRecord, DeliveryRecord, EventRecord } from '../../store/deliveries.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReadonlyState } from '../../store/state.ts';

/** Returns a delivery with its last attempt and with what a reader needs to recognize its event. */
export function deliveryRow(
  state: ReadonlyState,
  delivery: DeepReadonly<DeliveryRecord>,
): DeliveryRow {
  const { attempts, manualRequests: _requests, redeliveries: _count, ...row } = delivery;
  const endpoint = state.webhookEndpoints.get(delivery.endpointId);
  const event = state.events.get(delivery.eventId);
  const run = delivery.runId === null ? undefined : state.runs.get(delivery.runId);
  return {
    ...row,
    worldId: event?.worldId ?? endpoint?.worldId ?? null,
    automationSlug:
      run === undefined ? null : (state.automations.get(run.automationId)?.slug ?? null),
    runStatus: event === undefined ? null : runStatusOf(event),
    url: endpoint?.url ?? null,
    attemptCount: attempts.length,
    lastAttempt: lastAttempt(attempts),
  };
}

/** Returns the duration of an attempt. */
export function attemptMilliseconds({
  startedAt,
  finishedAt,
}: Pick<DeliveryAttemptRecord, 'startedAt' | 'finishedAt'>): number {
  return Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt));
}

function lastAttempt(
  attempts: readonly DeepReadonly<DeliveryAttemptRecord>[],
): DeliveryRow['lastAttempt'] {
  const last = attempts.at(-1);
  if (last === undefined) return null;
  const { number, startedAt, status, error, deliveryFault } = last;
  return {
    number,
    startedAt,
    milliseconds: attemptMilliseconds(last),
    status,
    error,
    deliveryFault,
  };
}

/** Returns the status of the run in an event. A payload of a caller's choice can have any `data`. */
export function runStatusOf(event: DeepReadonly<EventRecord>): RunStatus | null {
  const { data }: Payload = JSON.parse(event.payload);
  return RUN_STATUSES.find((status) => status === data?.run?.status) ?? null;
}

interface Payload {
  readonly data?: { readonly run?: { readonly status?: unknown } | null } | null;
}
