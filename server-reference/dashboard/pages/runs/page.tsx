import { RUN_STATUSES } from '@hookproof/spec';
import type { RunWithMoves } from '@hookproof/spec/control';
import type { JSX } from 'preact';

import { address, pathOf } from '../../address.ts';
import { listRuns } from '../../control/runs.ts';
import { Empty } from '../../parts/command.tsx';
import { FilterSelect } from '../../parts/filter.tsx';
import { List } from '../../parts/list/list.tsx';
import { Split } from '../../parts/page.tsx';
import type { Page } from '../../parts/page.tsx';
import { Age, Chip, shortId } from '../../parts/values.tsx';
import { ROWS_OF_A_PAGE, useRows } from '../../rows/rows.ts';
import type { LiveSource } from '../../rows/rows.ts';
import { RunDetail } from './detail.tsx';
import { toneOf } from './lane.tsx';

/** The runs, newest first. */
export const runs: Page = { name: 'runs', title: 'Runs', key: 'r', view: () => <Runs /> };

const ORIGINS = ['top-level', 'invoke-workflow', 'evaluation'];

interface Wanted {
  readonly worldId: string | undefined;
  readonly status: string | undefined;
  readonly origin: string | undefined;
}

function Runs(): JSX.Element {
  const { id, filters } = address.value;
  const wanted = {
    worldId: filters['world'],
    status: filters['status'],
    origin: filters['origin'],
  };
  const rows = useRows(JSON.stringify(wanted), source(wanted));
  const list = (
    <>
      <div class="filters">
        <FilterSelect name="status" label="Status" options={RUN_STATUSES} />
        <FilterSelect name="origin" label="Origin" options={ORIGINS} />
      </div>
      <List
        rows={rows}
        label="Runs"
        one="run"
        columns="runs"
        heads={['Age', 'Automation', 'Status', 'Origin', 'Run']}
        searchable={({ id: runId, automationSlug, status, origin }) => ({
          text: [automationSlug, status, origin].join(' '),
          ids: [runId],
          fields: { status, run: `${runId} ${automationSlug ?? ''}` },
        })}
        row={cells}
        empty={() => (
          <NoRuns isFiltered={wanted.status !== undefined || wanted.origin !== undefined} />
        )}
      />
    </>
  );
  return <Split list={list} detail={id === null ? null : <RunDetail key={id} id={id} />} />;
}

function NoRuns({ isFiltered }: { readonly isFiltered: boolean }): JSX.Element {
  if (isFiltered) {
    return (
      <Empty title="No run matches the filters">
        <a href={pathOf({ page: 'runs' })}>Show all runs</a>
      </Empty>
    );
  }
  return (
    <Empty title="No runs yet" command="npx hookproof trigger">
      <p>
        Press <b>Start run</b>, or type this in another terminal:
      </p>
    </Empty>
  );
}

function cells({ id, automationSlug, status, origin, createdAt }: RunWithMoves): JSX.Element {
  return (
    <>
      <Age iso={createdAt} />
      <b class="name">{automationSlug ?? 'deleted automation'}</b>
      <Chip tone={toneOf(status)} text={status} />
      <span class="quiet origin">{origin}</span>
      <span class="id quiet ref" title={id}>
        {shortId(id)}
      </span>
    </>
  );
}

function source(wanted: Wanted): LiveSource<RunWithMoves> {
  return {
    idOf: ({ id }) => id,
    timeOf: ({ createdAt }) => createdAt,
    includes: (run) =>
      (['worldId', 'status', 'origin'] as const).every(
        (name) => wanted[name] === undefined || wanted[name] === run[name],
      ),
    page: (cursor) => listRuns(wanted, { cursor, limit: ROWS_OF_A_PAGE }),
    apply({ event, data }, rows) {
      if (event === 'run') rows.put(data);
      if (event === 'removed' && data.kind === 'run') rows.remove(data.id);
    },
  };
}
