import type { JSX } from 'preact';

import { listDeliveryRows, redeliver } from '../../control/operations.ts';
import type { DeliveryFilters } from '../../control/operations.ts';
import { Confirm } from '../../parts/confirm.tsx';

/** The rows of one request. */
const ROWS_OF_A_PAGE = 1_000;

interface RedeliverAllProps {
  readonly count: number;
  readonly filters: DeliveryFilters;
}

/** Redelivers every failed delivery that matches the filters. Says first how many these are. */
export function RedeliverAll({ count, filters }: RedeliverAllProps): JSX.Element | null {
  if (count === 0) return null;
  const deliveries = count === 1 ? '1 delivery' : `${count} deliveries`;
  return (
    <Confirm
      label="Redeliver all failed"
      sure={`Redeliver ${deliveries}`}
      done="Redeliveries queued."
      run={async () => {
        for (const id of await failedIds(filters)) await redeliver(id);
      }}
    />
  );
}

async function failedIds(filters: DeliveryFilters): Promise<string[]> {
  // A delivery that fails meanwhile can make another come twice.
  const ids = new Set<string>();
  let cursor: string | undefined;
  do {
    const part = { cursor, limit: ROWS_OF_A_PAGE };
    const { data, nextCursor } = await listDeliveryRows({ ...filters, status: 'ended' }, part);
    for (const { id } of data) ids.add(id);
    cursor = nextCursor;
  } while (cursor !== undefined);
  return [...ids];
}
