import type { JSX } from 'preact';

import { List } from './list.tsx';
import { Attempts } from './attempts.tsx';
import { Narrowed, ofId } from './narrowed.tsx';
import { hasSources, SourceChoice, sourceQuery } from './source.tsx';
import { addressOf, stats } from './state.ts';
import { Age, Error, Move, RunOf } from './values.tsx';
import { Why } from './why.tsx';

/**
 * The events that are not handled yet, the oldest first, each with its reason; of a run or
 * automation if there is an id.
 */
export function Waiting({ id: of }: { readonly id: string }): JSX.Element {
  return (
    <>
      <Narrowed list="waiting" id={of} />
      {hasSources() && (
        <div class="toolbar">
          <SourceChoice />
        </div>
      )}
      <List
        label="Waiting events"
        columns={[
          ...(hasSources() ? ['Source'] : []),
          'Run',
          'Event',
          'Waits because',
          'Attempts',
          'Since',
        ]}
        empty={of === '' ? `Nothing waits: ${restIs()}.` : `Nothing of ${of} waits.`}
        of="waiting"
        query={{ ...ofId(of), ...sourceQuery() }}
        addressOf={({ id, source }) => addressOf(id, source)}
        row={(event) => (
          <>
            {hasSources() && <td data-label="Source">{event.source}</td>}
            <td data-label="Run">
              <RunOf of={event} />
            </td>
            <td data-label="Event">
              <a class="plain" href={addressOf(event.id, event.source)} title={event.id}>
                <Move of={event} />
              </a>
            </td>
            <td data-label="Waits because">
              <Why of={event} />
              {event.error !== null && <Error text={event.error} />}
            </td>
            <td data-label="Attempts">
              <Attempts of={event} />
            </td>
            <td data-label="Since">
              <Age at={event.receivedAt} />
            </td>
          </>
        )}
      />
    </>
  );
}

/** What the events are that do not wait. */
function restIs(): string {
  const dead = stats.value?.dead ?? 0;
  return dead === 0 ? 'every event is handled' : 'every event is handled or a dead letter';
}
