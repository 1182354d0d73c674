import type { EndpointRow, RecentAttempts } from '@hookproof/spec/control';
import type { JSX } from 'preact';

import { address, go } from '../../address.ts';
import { listEndpoints } from '../../control/endpoints.ts';
import { Empty } from '../../parts/command.tsx';
import { List } from '../../parts/list/list.tsx';
import { Split } from '../../parts/page.tsx';
import type { Page } from '../../parts/page.tsx';
import { Chip } from '../../parts/values.tsx';
import { ROWS_OF_A_PAGE, useRows } from '../../rows/rows.ts';
import type { LiveSource, Rows } from '../../rows/rows.ts';
import { errorWord } from '../deliveries/row.tsx';
import { EndpointDetail } from './detail.tsx';
import { EndpointForm, NEW } from './form.tsx';

/** The webhook endpoints, newest first. */
export const endpoints: Page = {
  name: 'endpoints',
  title: 'Endpoints',
  key: 'e',
  view: () => <Endpoints />,
};

interface Shown extends EndpointRow {
  /** Only the list has it, not a row of the stream. */
  readonly recent?: RecentAttempts | undefined;
}

function Endpoints(): JSX.Element {
  const { id, filters } = address.value;
  const world = filters['world'];
  const rows = useRows(world ?? '', source(world));
  const list = (
    <>
      <div class="filters">
        <button type="button" onClick={() => go({ id: NEW })}>
          New endpoint
        </button>
      </div>
      <List
        rows={rows}
        label="Endpoints"
        one="endpoint"
        columns="endpoints"
        heads={['URL', 'State', 'Last result', 'Succeeded']}
        searchable={({ id: endpointId, url }) => ({ text: url, ids: [endpointId] })}
        row={cells}
        empty={() => (
          <Empty
            title="No endpoints yet"
            command="npx hookproof serve --forward-to http://localhost:3000/"
          >
            <p>
              Press <b>New endpoint</b>, or start the server with the URL of your app:
            </p>
          </Empty>
        )}
      />
    </>
  );
  return <Split list={list} detail={detailOf(id)} />;
}

function detailOf(id: string | null): JSX.Element | null {
  if (id === null) return null;
  return id === NEW ? <EndpointForm /> : <EndpointDetail key={id} id={id} />;
}

function cells({ url, enabled, recent }: Shown): JSX.Element {
  const last = recent?.last ?? null;
  const isGood = last?.status != null && last.status >= 200 && last.status < 300;
  return (
    <>
      <span class="name">{url}</span>
      <Chip tone={enabled ? 'good' : 'plain'} text={enabled ? 'enabled' : 'disabled'} />
      {last === null ? (
        <span class="quiet">nothing sent</span>
      ) : (
        <Chip tone={isGood ? 'good' : 'bad'} text={String(last.status ?? errorWord(last.error))} />
      )}
      <span class="quiet share" title="Successful ones of its last 50 attempts">
        {recent === undefined || recent.attempts === 0
          ? ''
          : `${recent.succeeded} of ${recent.attempts}`}
      </span>
    </>
  );
}

/** Attempts within this time cost one request. */
const GATHER_MILLISECONDS = 300;

function source(world: string | undefined): LiveSource<Shown> {
  const page = (cursor?: string): ReturnType<typeof listEndpoints> =>
    listEndpoints(world, { cursor, limit: ROWS_OF_A_PAGE });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = (rows: Rows<Shown>): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void page().then(
        ({ data }) => {
          for (const { id, recent } of data) {
            const row = rows.row(id)?.peek();
            if (row !== undefined) rows.put({ ...row, recent });
          }
        },
        // The connection shows that the server does not respond; its next `ready` reads again.
        () => {},
      );
    }, GATHER_MILLISECONDS);
  };
  return {
    idOf: ({ id }) => id,
    timeOf: ({ createdAt }) => createdAt,
    includes: ({ worldId }) => world === undefined || worldId === world,
    page,
    apply({ event, data }, rows) {
      if (event === 'endpoint') rows.put({ ...rows.row(data.id)?.peek(), ...data });
      if (event === 'attempt') refresh(rows);
      if (event === 'removed' && data.kind === 'endpoint') rows.remove(data.id);
    },
  };
}
