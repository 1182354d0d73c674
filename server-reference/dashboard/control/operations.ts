import type { Delivery, DeliveryList } from '@hookproof/spec/control';

import { call } from './call.ts';

/** Part of a list that is wanted, newest first. */
interface Part {
  readonly cursor: string | undefined;
  readonly limit: number;
}

export interface DeliveryFilters {
  readonly endpointId?: string | undefined;
  readonly runId?: string | undefined;
  readonly status?: string | undefined;
}

/** `listDeliveries`. */
export function listDeliveries(filters: DeliveryFilters, part: Part): Promise<DeliveryList> {
  return call({ path: '/deliveries', query: { ...filters, ...part, order: 'newest' } });
}

/** `getDelivery`. */
export function getDelivery(id: string): Promise<Delivery> {
  return call({ path: `/deliveries/${encodeURIComponent(id)}` });
}

/** `redeliver`. */
export function redeliver(id: string): Promise<Delivery> {
  return call({
    method: 'POST',
    path: `/deliveries/${encodeURIComponent(id)}/redeliver`,
    body: {},
  });
}
