import type { ApiRequest, DeliveryRow, Event, RunDetail as Run } from '@hookproof/spec/control';
import type { JSX } from 'preact';

import { pathOf } from '../../address.ts';
import { listDeliveryRows, listRequests } from '../../control/operations.ts';
import { listRunEvents } from '../../control/events.ts';
import { moveRun, readRun } from '../../control/runs.ts';
import type { StreamRow } from '../../live/follow.ts';
import { Content } from '../../parts/content.tsx';
import { Loaded, valueOf } from '../../parts/loaded.tsx';
import { attempt } from '../../parts/notice.tsx';
import { Detail } from '../../parts/page.tsx';
import { chooseRun } from '../../parts/start-run.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Chip, Facts, Time } from '../../parts/values.tsx';
import { useRecord } from '../../rows/record.ts';
import { EventName, resultOf } from '../deliveries/row.tsx';
import { Lane, toneOf } from './lane.tsx';

const MAX_SHOWN = 200;

interface Shown {
  readonly run: Run;
  readonly events: readonly Event[];
  readonly deliveries: readonly DeliveryRow[];
  readonly requests: readonly ApiRequest[];
}

async function read(id: string): Promise<Shown> {
  const [run, events, deliveries, requests] = await Promise.all([
    readRun(id),
    listRunEvents(id),
    listDeliveryRows({ runId: id }, { cursor: undefined, limit: MAX_SHOWN }),
    listRequests({}, { cursor: undefined, limit: 1_000 }),
  ]);
  return {
    run,
    events: events.data,
    deliveries: deliveries.data,
    requests: requests.data.filter(({ path }) => path.includes(id)),
  };
}

function concerns(id: string, { event, data }: StreamRow): boolean {
  if (event === 'run') return data.id === id;
  if (event === 'request') return data.path.includes(id);
  return (event === 'delivery' || event === 'event') && data.runId === id;
}

/** A run: its statuses with their events, the moves that it allows, its output, deliveries and requests. */
export function RunDetail({ id }: { readonly id: string }): JSX.Element {
  const reading = useRecord(id, { read: () => read(id), concerns: (row) => concerns(id, row) });
  const shown = valueOf(reading);
  const moves = shown?.run.allowedMoves ?? [];
  const actions = moves.map((status) => (
    <button
      type="button"
      key={status}
      title={`Move the run to ${status}`}
      onClick={() => void attempt(() => moveRun(id, { status }), `Moved to ${status}.`)}
    >
      {status}
    </button>
  ));
  return (
    <Detail
      title="Run"
      id={id}
      actions={
        <>
          {shown !== undefined && (
            <button
              type="button"
              onClick={() =>
                chooseRun({
                  automationId: shown.run.automationId,
                  ...(shown.run.output !== undefined && { output: shown.run.output }),
                })
              }
            >
              Again, changed
            </button>
          )}
          {moves.length > 0 && <span class="quiet">Move to</span>}
          {actions}
        </>
      }
    >
      <Loaded reading={reading}>{(value) => <RunView {...value} />}</Loaded>
    </Detail>
  );
}

function RunView({ run, events, deliveries, requests }: Shown): JSX.Element {
  return (
    <>
      <Facts
        of={{
          Automation: run.automationSlug ?? run.automationId,
          Status: <Chip tone={toneOf(run.status)} text={run.status} />,
          'Started by': `${run.triggerType}, ${run.origin}`,
        }}
      />
      <Tabs
        label="Run"
        tabs={[
          {
            name: 'Timeline',
            view: () => (
              <Lane
                history={run.history}
                scheduled={run.scheduledTransitions}
                events={events}
                deliveries={deliveries}
              />
            ),
          },
          { name: 'Output', view: () => <Output {...run} /> },
          { name: 'Deliveries', view: () => <Deliveries of={deliveries} /> },
          { name: 'Requests', view: () => <Requests of={requests} /> },
        ]}
      />
    </>
  );
}

function Output({ output }: Run): JSX.Element {
  if (output === undefined) return <p class="quiet">The run has no output yet.</p>;
  return <Content title="Output" text={JSON.stringify(output)} />;
}

function Deliveries({ of }: { readonly of: readonly DeliveryRow[] }): JSX.Element {
  if (of.length === 0) return <p class="quiet">None of its events was sent to an endpoint.</p>;
  return (
    <ul class="links">
      {of.map((delivery) => (
        <li key={delivery.id}>
          <a href={pathOf({ page: 'deliveries', id: delivery.id })}>
            <Time iso={delivery.createdAt} /> <EventName {...delivery} />
            <Chip {...resultOf(delivery)} />
          </a>
        </li>
      ))}
    </ul>
  );
}

function Requests({ of }: { readonly of: readonly ApiRequest[] }): JSX.Element {
  if (of.length === 0) return <p class="quiet">No request has named this run.</p>;
  return (
    <ul class="links">
      {of.map(({ id, at, method, path, status }) => (
        <li key={id}>
          <a href={pathOf({ page: 'requests', id })}>
            <Time iso={at} /> <span>{`${method} ${path}`}</span>
            <Chip
              tone={(status ?? 500) < 400 ? 'good' : 'bad'}
              text={String(status ?? 'cut off')}
            />
          </a>
        </li>
      ))}
    </ul>
  );
}
