import type { DeliveryRow } from '@hookproof/spec/control';

import { runStatusOf } from '../../events/event.ts';
import type { DeliveryAttemptRecord, DeliveryRecord } from '../../store/deliveries.ts';
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
