import type { JSX } from 'preact';

import { List } from './list.tsx';
import { Narrow, ofId } from './narrow.tsx';
import { Age, Id, Move, RunOf } from './values.tsx';
import { Why } from './why.tsx';

/** The events that are not handled yet, the oldest first, each with its reason; of a run or automation if there is an id. */
export function Waiting({ id: of }: { readonly id: string }): JSX.Element {
  return (
    <>
      <div class="toolbar">
        <Narrow list="waiting" label="Run, agent or workflow" id={of} />
      </div>
      <List
        label="Waiting events"
        columns={['Run', 'Event', 'Waits because', 'Failures', 'Since']}
        empty={of === '' ? 'Nothing waits: every event is handled.' : `Nothing of ${of} waits.`}
        of="waiting"
        query={ofId(of)}
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
              <Why of={event} />
              {event.error !== null && <span class="error">{event.error}</span>}
            </td>
            <td data-label="Failures">{event.attempts}</td>
            <td data-label="Since">
              <Age at={event.receivedAt} />
            </td>
          </>
        )}
      />
    </>
  );
}
