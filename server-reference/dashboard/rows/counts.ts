import type { DeliveryRowList } from '@hookproof/spec/control';
import type { ReadonlySignal } from '@preact/signals';

import { listDeliveryRows } from '../control/operations.ts';
import type { DeliveryFilters } from '../control/operations.ts';
import { useRecord } from './record.ts';
import type { Reading } from './record.ts';

/** Rows within this time cost one request. */
const GATHER_MILLISECONDS = 300;

/** The number of deliveries by status. It follows the stream. */
export function useCounts(
  filters: Omit<DeliveryFilters, 'status'>,
): ReadonlySignal<Reading<DeliveryRowList['counts']>> {
  return useRecord(`counts ${JSON.stringify(filters)}`, {
    read: async () => (await listDeliveryRows(filters, { cursor: undefined, limit: 1 })).counts,
    concerns: ({ event, data }) =>
      event === 'delivery' || (event === 'removed' && data.kind === 'delivery'),
    pauseMilliseconds: GATHER_MILLISECONDS,
  });
}
