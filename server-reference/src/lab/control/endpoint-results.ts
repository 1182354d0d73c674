import type { EndpointResult } from '@hookproof/spec/control';

import type { DeliveryAttemptRecord, DeliveryRecord } from '../../store/deliveries.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ControlRoute } from './operation.ts';
import { pageOf } from './page.ts';
import type { LabServices } from './services.ts';

/** The number of attempts per endpoint that are counted. */
const MAX_COUNTED = 50;

type Attempt = DeepReadonly<DeliveryAttemptRecord> & { readonly deliveryId: string };

/** Routes for the recent results of endpoints. */
export function endpointResultRoutes({ store }: LabServices): ControlRoute[] {
  return [
    {
      operationId: 'listEndpointResults',
      async handle({ query: { worldId }, page }) {
        const { webhookEndpoints, deliveries } = store.state;
        const found = [...webhookEndpoints.values()].filter(
          (endpoint) => worldId === undefined || endpoint.worldId === worldId,
        );
        const attempts = attemptsByEndpoint(deliveries.values());
        const body = pageOf(found, page, ({ id }) => resultOf(id, attempts.get(id) ?? []));
        return { status: 200, body };
      },
    },
  ];
}

function attemptsByEndpoint(
  deliveries: Iterable<DeepReadonly<DeliveryRecord>>,
): Map<string, Attempt[]> {
  const byEndpoint = new Map<string, Attempt[]>();
  for (const { id: deliveryId, endpointId, attempts } of deliveries) {
    const list = byEndpoint.get(endpointId) ?? [];
    byEndpoint.set(endpointId, list);
    for (const attempt of attempts) list.push({ ...attempt, deliveryId });
  }
  return byEndpoint;
}

function resultOf(endpointId: string, all: readonly Attempt[]): EndpointResult {
  const recent = all
    .toSorted((a, b) => Date.parse(a.finishedAt) - Date.parse(b.finishedAt))
    .slice(-MAX_COUNTED);
  const succeeded = recent.filter(({ status }) => status !== null && status >= 200 && status < 300);
  const last = recent.at(-1);
  return {
    endpointId,
    attempts: recent.length,
    succeeded: succeeded.length,
    last: last === undefined ? null : lastOf(last),
  };
}

function lastOf({
  deliveryId,
  number,
  finishedAt,
  status,
  error,
}: Attempt): EndpointResult['last'] {
  return { deliveryId, number, finishedAt, status, error };
}
