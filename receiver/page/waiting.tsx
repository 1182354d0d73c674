import type { WaitingEvent } from '@hookproof/receiver';
import type { JSX } from 'preact';

import { List } from './list.tsx';
import { Age, duration, Id, Move, RunOf } from './values.tsx';

/** The events that are not handled yet, the oldest first, each with its reason. */
export function Waiting(): JSX.Element {
  return (
    <List
      label="Waiting events"
      columns={['Run', 'Event', 'Waits because', 'Failures', 'Since']}
      empty="Nothing waits: every event is handled."
      of="waiting"
      keyOf={({ id }) => id}
      row={(event) => (
        <>
          <td data-label="Run">
            <RunOf of={event} />
          </td>
          <td data-label="Event">
            <Move edge={event.edge} />
            <Id id={event.id} />
          </td>
          <td data-label="Waits because">
            <Why event={event} />
          </td>
          <td data-label="Failures">{event.attempts}</td>
          <td data-label="Since">
            <Age at={event.receivedAt} />
          </td>
        </>
      )}
    />
  );
}

function Why({ event }: { readonly event: WaitingEvent }): JSX.Element {
  const { why, dueIn, error } = event;
  const inTime = dueIn === null ? '' : ` in ${duration(dueIn)}`;
  const text = {
    paused: 'its handler is paused',
    in_hand: 'its run is being handled',
    retry: `it failed; next try${inTime}`,
    order:
      dueIn === null
        ? 'an earlier event is missing or failed'
        : `earlier events may come; goes on${inTime}`,
    due: 'a process will take it now',
  }[why];
  return (
    <>
      <span class={`why ${why}`}>{text}</span>
      {error !== null && <span class="error">{error}</span>}
    </>
  );
}
