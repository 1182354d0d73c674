import type { RecentAttempts, WebhookEndpoint } from '@hookproof/spec/control';

import type {
  DeliveryAttemptRecord,
  DeliveryRecord,
  WebhookEndpointRecord,
} from '../../store/deliveries.ts';
import type { DeepReadonly } from '../../store/read-only.ts';

/** The number of attempts per endpoint that are counted. */
const MAX_COUNTED = 50;

type Attempt = DeepReadonly<DeliveryAttemptRecord> & { readonly deliveryId: string };

/** Returns a view of endpoints that says how their last attempts among these deliveries ended. */
export function withRecentAttempts(
  deliveries: Iterable<DeepReadonly<DeliveryRecord>>,
): (endpoint: DeepReadonly<WebhookEndpointRecord>) => WebhookEndpoint {
  const attempts = new Map<string, Attempt[]>();
  for (const { id: deliveryId, endpointId, attempts: made } of deliveries) {
    const all = attempts.get(endpointId) ?? [];
    attempts.set(endpointId, all);
    for (const attempt of made) all.push({ ...attempt, deliveryId });
  }
  return (endpoint) => ({ ...endpoint, recent: recentOf(attempts.get(endpoint.id) ?? []) });
}

function recentOf(all: readonly Attempt[]): RecentAttempts {
  const recent = all
    .toSorted((a, b) => Date.parse(a.finishedAt) - Date.parse(b.finishedAt))
    .slice(-MAX_COUNTED);
  const succeeded = recent.filter(({ status }) => status !== null && status >= 200 && status < 300);
  const last = recent.at(-1);
  return {
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
}: Attempt): RecentAttempts['last'] {
  return { deliveryId, number, finishedAt, status, error };
}
