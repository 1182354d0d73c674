import type { DeliveryStatus } from '@hookproof/spec/control';

import type { Address } from '../../address.ts';
import type { DeliveryFilters } from '../../control/operations.ts';

/** The statuses as the address and the page name them. */
export const STATUSES: readonly { readonly name: string; readonly status: DeliveryStatus }[] = [
  { name: 'pending', status: 'pending' },
  { name: 'delivered', status: 'delivered' },
  { name: 'failed', status: 'ended' },
];

/** Returns the filters of the address as those of the control interface. */
export function wantedOf({
  world,
  status,
  endpoint,
  run,
  event,
}: Address['filters']): DeliveryFilters {
  return {
    worldId: world,
    status: STATUSES.find(({ name }) => name === status)?.status,
    endpointId: endpoint,
    runId: run,
    eventId: event,
  };
}
