import type { RunStatus } from '@hookproof/spec';
import type { DeliveryRow, Event, RunStatusChange } from '@hookproof/spec/control';
import type { JSX } from 'preact';

import { pathOf } from '../../address.ts';
import { Chip, duration, Time } from '../../parts/values.tsx';
import type { Tone } from '../../parts/values.tsx';
import { resultOf, shortUrl } from '../deliveries/row.tsx';

/** Returns how good a status is. */
export function toneOf(status: RunStatus): Tone {
  if (status === 'completed') return 'good';
  if (status === 'failed' || status === 'rejected') return 'bad';
  return status === 'cancelled' ? 'plain' : 'wait';
}

interface LaneProps {
  readonly history: readonly RunStatusChange[];
  readonly scheduled: readonly RunStatusChange[];
  readonly events: readonly Event[];
  readonly deliveries: readonly DeliveryRow[];
}

/** The statuses of a run with their events, and what is scheduled. */
export function Lane({ history, scheduled, events, deliveries }: LaneProps): JSX.Element {
  return (
    <ol class="lane">
      {history.map((change, place) => (
        <li key={place} class={toneOf(change.status)}>
          <strong>{change.status}</strong>
          <Time iso={change.at} />
          <span class="quiet">{sinceText(history[place - 1], change)}</span>
          {eventsOf(change, history, events).map((event) => (
            <EventLine
              key={event.id}
              event={event}
              deliveries={deliveries.filter(({ eventId }) => eventId === event.id)}
            />
          ))}
        </li>
      ))}
      {scheduled.map((change, place) => (
        <li key={`next ${place}`} class="scheduled">
          <strong>{change.status}</strong>
          <Time iso={change.at} />
          <span class="quiet">scheduled</span>
        </li>
      ))}
    </ol>
  );
}

function sinceText(before: RunStatusChange | undefined, { at }: RunStatusChange): string {
  return before === undefined ? '' : `+${duration(Date.parse(at) - Date.parse(before.at))}`;
}

/** An event says its status and its time. One whose time no status has belongs to the last with its status. */
function eventsOf(
  change: RunStatusChange,
  history: LaneProps['history'],
  events: readonly Event[],
): Event[] {
  return events.filter(({ payload }) => {
    const event: { createdAt?: unknown; data?: { run?: { status?: unknown } } } =
      JSON.parse(payload);
    const same = history.filter(({ status }) => status === event.data?.run?.status);
    return change === (same.find(({ at }) => at === event.createdAt) ?? same.at(-1));
  });
}

interface EventLineProps {
  readonly event: Event;
  readonly deliveries: readonly DeliveryRow[];
}

function EventLine({ event, deliveries }: EventLineProps): JSX.Element {
  return (
    <div class="event">
      <span class="id">{event.type}</span>
      {deliveries.length === 0 && <span class="quiet">no endpoint</span>}
      {deliveries.map((delivery) => (
        <a key={delivery.id} href={pathOf({ page: 'deliveries', id: delivery.id })}>
          <Chip {...resultOf(delivery)} />{' '}
          <span class="id">
            {delivery.url === null ? 'deleted endpoint' : shortUrl(delivery.url)}
          </span>
        </a>
      ))}
    </div>
  );
}
