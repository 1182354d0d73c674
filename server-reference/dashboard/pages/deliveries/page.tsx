import type { Delivery, DeliveryRow } from '@hookproof/spec/control';
import type { JSX } from 'preact';

import { address } from '../../address.ts';
import { listDeliveries } from '../../control/operations.ts';
import { Empty } from '../../parts/command.tsx';
import { List } from '../../parts/list.tsx';
import { Split } from '../../parts/page.tsx';
import { Chip, Time } from '../../parts/values.tsx';
import { ROWS_OF_A_PAGE, useRows } from '../../rows/rows.ts';
import type { LiveSource } from '../../rows/rows.ts';
import type { Page } from '../../parts/page.tsx';

/** The deliveries, newest first. */
export const deliveries: Page = {
  name: 'deliveries',
  title: 'Deliveries',
  key: 'd',
  view: () => <Deliveries />,
};

function Deliveries(): JSX.Element {
  const { status, endpoint, run } = address.value.filters;
  const rows = useRows(JSON.stringify([status, endpoint, run]), source(status, endpoint, run));
  const list = (
    <List
      rows={rows}
      label="Deliveries"
      columns="deliveries"
      heads={['Time', 'Event', 'Run', 'Endpoint', 'Result', 'Tries']}
      textOf={({ id, eventId, runId, endpointId, type }) =>
        [id, eventId, runId, endpointId, type].join(' ')
      }
      row={row}
      empty={() => <Empty title="No deliveries yet" command="npx hookproof trigger" />}
    />
  );
  return <Split list={list} detail={null} />;
}

function row({
  createdAt,
  type,
  runId,
  endpointId,
  status,
  attemptCount,
}: DeliveryRow): JSX.Element {
  return (
    <>
      <Time iso={createdAt} />
      <span>{type}</span>
      <span class="id">{runId ?? 'test event'}</span>
      <span class="id">{endpointId}</span>
      <Chip tone={status === 'delivered' ? 'good' : 'bad'} text={status} />
      <span>{attemptCount}</span>
    </>
  );
}

function source(
  status: string | undefined,
  endpointId: string | undefined,
  runId: string | undefined,
): LiveSource<DeliveryRow> {
  return {
    idOf: ({ id }) => id,
    timeOf: ({ createdAt }) => createdAt,
    includes: (one) =>
      (status === undefined || one.status === status) &&
      (endpointId === undefined || one.endpointId === endpointId) &&
      (runId === undefined || one.runId === runId),
    async page(cursor) {
      const part = { cursor, limit: ROWS_OF_A_PAGE };
      const { data, nextCursor } = await listDeliveries({ status, endpointId, runId }, part);
      const found = data.map(rowOf);
      return { data: found, ...(nextCursor === undefined ? {} : { nextCursor }) };
    },
    apply({ event, data }, rows) {
      if (event === 'delivery') rows.put(data);
      if (event === 'removed' && data.kind === 'delivery') rows.remove(data.id);
    },
  };
}

/** Returns the row of the stream for an entry of the list. */
function rowOf({ attempts, ...delivery }: Delivery): DeliveryRow {
  return { ...delivery, attemptCount: attempts.length };
}
