import type { DeliveryRow } from '@hookproof/spec/control';
import type { ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';

import { address, openRow, pathOf } from '../../address.ts';
import { focused } from '../../keyboard.ts';
import { Chip, shortId, Time } from '../../parts/values.tsx';
import type { Rows } from '../../rows/rows.ts';
import { resultOf, shortUrl } from './row.tsx';

interface ByRunProps {
  readonly rows: Rows<DeliveryRow>;
  /** Newest first. */
  readonly ids: readonly string[];
}

/** The deliveries of each run in one row: its statuses in their order, each with the results of its deliveries. */
export function ByRun({ rows, ids }: ByRunProps): JSX.Element {
  const groups = new Map<string, DeliveryRow[]>();
  for (const id of ids) {
    const row = rows.row(id)?.peek();
    if (row === undefined) continue;
    const key = row.runId ?? row.eventId;
    groups.set(key, [row, ...(groups.get(key) ?? [])]);
  }
  return (
    <ul>
      {[...groups].map(([key, deliveries]) => (
        <li key={key}>
          <Group rows={rows} deliveries={deliveries} />
        </li>
      ))}
    </ul>
  );
}

interface GroupProps {
  readonly rows: Rows<DeliveryRow>;
  /** Oldest first. */
  readonly deliveries: readonly DeliveryRow[];
}

function Group({ rows, deliveries }: GroupProps): JSX.Element | null {
  const [first] = deliveries;
  if (first === undefined) return null;
  const { runId, automationSlug, createdAt } = first;
  const events = [...new Set(deliveries.map(({ eventId }) => eventId))];
  return (
    <>
      <p class="run-head">
        <b>{runId === null ? 'Test event' : (automationSlug ?? 'deleted automation')}</b>{' '}
        {runId !== null && (
          <a class="id" href={pathOf({ page: 'runs', id: runId })} title={runId}>
            {shortId(runId)}
          </a>
        )}{' '}
        <Time iso={createdAt} />
      </p>
      <ol class="run-lane">
        {events.map((eventId) => {
          const sent = deliveries.filter((delivery) => delivery.eventId === eventId);
          return (
            <li key={eventId}>
              <span>{sent[0]?.runStatus ?? sent[0]?.type}</span>
              {sent.map(({ id }) => (
                <Result key={id} row={rows.row(id)} />
              ))}
            </li>
          );
        })}
      </ol>
    </>
  );
}

function Result({
  row,
}: {
  readonly row: ReadonlySignal<DeliveryRow> | undefined;
}): JSX.Element | null {
  if (row === undefined) return null;
  const { id, url } = row.value;
  const { tone, text } = resultOf(row.value);
  const [response = ''] = text.split(' · ');
  return (
    <a
      href={pathOf({ id })}
      data-row={id}
      title={`${text}, ${url === null ? 'deleted endpoint' : shortUrl(url)}`}
      aria-current={address.value.id === id ? 'true' : undefined}
      onClick={(event) => openRow(event, id)}
      onFocus={() => {
        focused.value = id;
      }}
    >
      <Chip tone={tone} text={response} />
    </a>
  );
}
