import type { StoredRun } from '@hookproof/receiver';
import type { JSX } from 'preact';

import { List } from './list.tsx';
import { Narrowed } from './narrowed.tsx';
import { ReplayMany } from './replay.tsx';
import { hasSources, SourceChoice, sourceQuery } from './source.tsx';
import { addressOf } from './state.ts';
import { Age, Automation, Id, Status } from './values.tsx';

/**
 * The runs that the store remembers, the newest first; of one agent or workflow if there is an id.
 */
export function Runs({ id }: { readonly id: string }): JSX.Element {
  const { source } = sourceQuery();
  const query = { ...sourceQuery(), ...(id !== '' && { automationId: id }) };
  return (
    <>
      <Narrowed list="runs" id={id} />
      {id !== '' && (
        <p class="narrowed">
          <a href={`#waiting=${encodeURIComponent(id)}`}>What waits</a> ·{' '}
          <a href={`#dead=${encodeURIComponent(id)}`}>Dead letters</a>
        </p>
      )}
      <div class="toolbar">
        {hasSources() && <SourceChoice any="the first with runs" />}
        <span class="space" />
        <ReplayMany of={query} />
      </div>
      <List
        label="Runs"
        columns={['Run', 'Agent or workflow', 'Status', 'Events', 'Since']}
        empty={emptyOf(id, source)}
        of="runs"
        query={query}
        addressOf={({ runId }) => addressOf(runId, source)}
        row={(run) => (
          <>
            <td data-label="Run">
              <Id id={run.runId} source={source} />
            </td>
            <td data-label="Agent or workflow">
              {run.automationId === null ? '–' : <Automation id={run.automationId} />}
            </td>
            <td data-label="Status">{run.status === null ? '–' : <Status name={run.status} />}</td>
            <td data-label="Events">
              <Events run={run} />
            </td>
            <td data-label="Since">
              <Age at={run.receivedAt} />
            </td>
          </>
        )}
      />
    </>
  );
}

function emptyOf(id: string, source: string | undefined): string {
  if (id !== '') return `No runs of ${id}.`;
  return source === undefined
    ? 'No runs yet.'
    : `No runs of ${source}. Only the platform has runs.`;
}

function Events({ run: { open, dead, handled } }: { readonly run: StoredRun }): JSX.Element {
  return (
    <span class="events">
      {dead > 0 && <span class="state dead">{dead} dead</span>}
      {open > 0 && <span class="state open">{open} waiting</span>}
      {handled > 0 && <span class="state handled">{handled} handled</span>}
    </span>
  );
}
