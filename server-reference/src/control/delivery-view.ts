import type { DeliveryRecord } from '../state/delivery.ts';

/** A delivery as the control interface shows it. */
export type Delivery = Omit<DeliveryRecord, 'manualRequests'>;

export function deliveryView(record: DeliveryRecord): Delivery {
  const { manualRequests: _internal, ...delivery } = record;
  return { ...delivery, attempts: [...delivery.attempts] };
}
