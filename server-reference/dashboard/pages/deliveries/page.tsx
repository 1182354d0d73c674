import type { DeliveryRow } from '@hookproof/spec/control';
import type { JSX } from 'preact';

import { address } from '../../address.ts';
import { listDeliveryRows } from '../../control/operations.ts';
import type { DeliveryFilters } from '../../control/operations.ts';
import { List } from '../../parts/list/list.tsx';
import { Split } from '../../parts/page.tsx';
import type { Page } from '../../parts/page.tsx';
import { ROWS_OF_A_PAGE, useRows } from '../../rows/rows.ts';
import type { LiveSource } from '../../rows/rows.ts';
import { DeliveryDetail } from './detail.tsx';
import { ByRun } from './by-run.tsx';
import { FilterBar } from './filter-bar.tsx';
import { wantedOf } from './filters.ts';
import { NoDeliveries } from './no-deliveries.tsx';
import { DeliveryCells, searchable } from './row.tsx';

/** The deliveries, newest first. */
export const deliveries: Page = {
  name: 'deliveries',
  title: 'Deliveries',
  key: 'd',
  view: () => <Deliveries />,
};

function Deliveries(): JSX.Element {
  const { id, filters } = address.value;
  const wanted = wantedOf(filters);
  const rows = useRows(JSON.stringify(wanted), source(wanted));
  const list = (
    <>
      <FilterBar />
      <List
        rows={rows}
        label="Deliveries"
        one="delivery"
        columns={filters['group'] === 'run' ? 'by-run' : 'deliveries'}
        heads={['Time', 'Event', 'Run', 'Endpoint', 'Result', 'Tries']}
        searchable={searchable}
        mark={({ status }) => (status === 'ended' ? 'failed-row' : undefined)}
        row={(row) => <DeliveryCells row={row} />}
        {...(filters['group'] === 'run' && {
          grouped: (ids) => <ByRun rows={rows} ids={ids} />,
        })}
        empty={() => <NoDeliveries />}
      />
    </>
  );
  return <Split list={list} detail={id === null ? null : <DeliveryDetail key={id} id={id} />} />;
}

function source(wanted: DeliveryFilters): LiveSource<DeliveryRow> {
  return {
    idOf: ({ id }) => id,
    timeOf: ({ createdAt }) => createdAt,
    includes: (row) =>
      (['worldId', 'status', 'endpointId', 'runId', 'eventId'] as const).every(
        (name) => wanted[name] === undefined || wanted[name] === row[name],
      ),
    page: (cursor) => listDeliveryRows(wanted, { cursor, limit: ROWS_OF_A_PAGE }),
    apply({ event, data }, rows) {
      if (event === 'delivery') rows.put(data);
      if (event === 'removed' && data.kind === 'delivery') rows.remove(data.id);
    },
  };
}
