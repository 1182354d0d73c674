import type { AttemptDetail, Delivery, DeliveryRow } from '@hookproof/spec/control';
import type { JSX } from 'preact';

import { address, pathOf, setFilters } from '../../address.ts';
import { getAttempt, getDelivery, listDeliveryRows, redeliver } from '../../control/operations.ts';
import { useKeys } from '../../keyboard.ts';
import { CopyButton, copyText } from '../../parts/command.tsx';
import { attempt as tryTo, notify } from '../../parts/notice.tsx';
import { Detail } from '../../parts/page.tsx';
import { Facts, Named, Time } from '../../parts/values.tsx';
import { useRecord } from '../../rows/record.ts';
import { curlOf, redeliverCommand, testOf } from './as-code.ts';
import { Attempts } from './attempts.tsx';
import { EditAndSend } from './edit.tsx';
import { EventName, shortUrl } from './row.tsx';
import { Sides } from './sides.tsx';

/** More deliveries than one event has. */
const MAX_OF_EVENT = 1_000;

interface Shown {
  readonly delivery: Delivery;
  /** With the names of its run and its endpoint. */
  readonly row: DeliveryRow | undefined;
}

/** A delivery with its attempts, and both sides of the chosen one. */
export function DeliveryDetail({ id }: { readonly id: string }): JSX.Element {
  const reading = useRecord(id, {
    read: () => read(id),
    concerns: ({ event, data }) => event === 'delivery' && data.id === id,
  }).value;
  if (reading === null)
    return (
      <Detail title="Delivery" id={id}>
        {null}
      </Detail>
    );
  if ('failed' in reading) {
    return (
      <Detail title="Delivery" id={id}>
        <p class="failed">{reading.failed}</p>
      </Detail>
    );
  }
  return <Loaded {...reading.value} />;
}

async function read(id: string): Promise<Shown> {
  const delivery = await getDelivery(id);
  const { eventId, endpointId } = delivery;
  const part = { cursor: undefined, limit: MAX_OF_EVENT };
  const { data } = await listDeliveryRows({ eventId, endpointId }, part);
  return { delivery, row: data.find((row) => row.id === id) };
}

function Loaded({ delivery, row }: Shown): JSX.Element {
  const { id, attempts } = delivery;
  const named = Number(address.value.filters['attempt']);
  const chosen = attempts.find(({ number }) => number === named) ?? attempts.at(-1);
  const number = chosen?.number ?? null;
  const reading = useRecord<AttemptDetail | null>(`${id} ${number}`, {
    read: async () => (number === null ? null : getAttempt(id, number)),
    concerns: () => false,
  }).value;
  const shown = reading !== null && 'value' in reading ? reading.value : null;
  const copyCurl = (): string =>
    shown?.sent == null ? redeliverCommand({ deliveryId: id }) : curlOf(shown.sent);
  const again = (): void =>
    void tryTo(async () => {
      await redeliver(id);
      // Without this filter the newest attempt is shown, which will be the new one.
      setFilters({ attempt: '' }, 'replace');
    }, 'Redelivery queued.');
  useKeys({
    r: again,
    c: () => void copyText(copyCurl()).then(() => notify('curl command copied.', 'good')),
  });
  return (
    <Detail
      title="Delivery"
      id={id}
      actions={
        <>
          <button type="button" class="primary" onClick={again}>
            Redeliver
          </button>
          {shown?.sent?.body !== undefined && (
            <EditAndSend delivery={delivery} body={shown.sent.body} />
          )}
          <CopyButton label="Copy curl" text={copyCurl} />
          {shown?.sent?.body !== undefined && (
            <CopyButton
              label="Copy as test"
              text={() => testOf(shown.sent ?? { url: '', headers: [] })}
            />
          )}
        </>
      }
    >
      <DeliveryFacts delivery={delivery} row={row} />
      <Attempts delivery={delivery} chosen={number} />
      {reading !== null && 'failed' in reading && <p class="failed">{reading.failed}</p>}
      {shown !== null && (
        <Sides detail={shown} redeliver={delivery.status === 'ended' ? again : null} />
      )}
    </Detail>
  );
}

function DeliveryFacts({ delivery, row }: Shown): JSX.Element {
  const { type, runId, eventId, endpointId, createdAt } = delivery;
  return (
    <Facts
      of={{
        Event: (
          <>
            <EventName type={type} runStatus={row?.runStatus ?? null} />{' '}
            <a class="id" href={pathOf({ page: 'deliveries', filters: { event: eventId } })}>
              {eventId}
            </a>
          </>
        ),
        Run:
          runId === null ? (
            'none'
          ) : (
            <Named
              href={pathOf({ page: 'runs', id: runId })}
              name={row?.automationSlug ?? 'run of a deleted automation'}
              id={runId}
            />
          ),
        Endpoint: (
          <Named
            href={pathOf({ page: 'endpoints', id: endpointId })}
            name={row?.url == null ? 'deleted endpoint' : shortUrl(row.url)}
            id={endpointId}
          />
        ),
        Created: <Time iso={createdAt} />,
      }}
    />
  );
}
