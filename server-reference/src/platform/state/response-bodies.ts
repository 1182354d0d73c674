import type { DeliveryAttemptRecord } from './deliveries.ts';
import type { DeliveryId } from './ids.ts';
import type { DeepReadonly } from './read-only.ts';
import type { ReadonlyState, State } from './state.ts';

/** An attempt with its response body as text. */
export type ShownAttempt = DeepReadonly<
  Omit<DeliveryAttemptRecord, 'responseBody'> & { responseBody: string | null }
>;

/** Returns an attempt with its response body. */
export function showAttempt(
  { responseBodies }: Pick<ReadonlyState, 'responseBodies'>,
  attempt: DeepReadonly<DeliveryAttemptRecord>,
): ShownAttempt {
  const { responseBody, ...others } = attempt;
  const isText = typeof responseBody === 'string' || responseBody === null;
  const text = isText ? responseBody : (responseBodies.get(responseBody.id)?.text ?? null);
  return { ...others, responseBody: text };
}

/** Deletes a delivery, and the response bodies that no other one has. */
export function deleteDelivery({ deliveries, responseBodies }: State, id: DeliveryId): void {
  for (const { responseBody } of deliveries.get(id)?.attempts ?? []) {
    if (typeof responseBody === 'string' || responseBody === null) continue;
    const body = responseBodies.edit(responseBody.id);
    body.uses -= 1;
    if (body.uses === 0) responseBodies.delete(body.id);
  }
  deliveries.delete(id);
}
