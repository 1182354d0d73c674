import type { EndpointResult, EndpointRow } from '@hookproof/spec/control';
import type { JSX } from 'preact';

import { address, go } from '../../address.ts';
import { listEndpointResults, listEndpoints } from '../../control/endpoints.ts';
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

/** An endpoint with its recent results. */
interface Shown extends EndpointRow {
  readonly result: EndpointResult | undefined;
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

function cells({ url, enabled, result }: Shown): JSX.Element {
  const last = result?.last ?? null;
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
        {result === undefined || result.attempts === 0
          ? ''
          : `${result.succeeded} of ${result.attempts}`}
      </span>
    </>
  );
}

/** Attempts within this time cost one request. */
const GATHER_MILLISECONDS = 300;

function source(world: string | undefined): LiveSource<Shown> {
  let results = new Map<string, EndpointResult>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const readResults = async (cursor?: string): Promise<void> => {
    const { data } = await listEndpointResults(world, { cursor, limit: ROWS_OF_A_PAGE });
    results = new Map([...results, ...data.map((one) => [one.endpointId, one] as const)]);
  };
  const show = (rows: Rows<Shown>): void => {
    for (const [id, result] of results) {
      const row = rows.row(id)?.peek();
      if (row !== undefined && row.result !== result) rows.put({ ...row, result });
    }
  };
  const refresh = (rows: Rows<Shown>): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void readResults().then(
        () => show(rows),
        // The connection shows that the server does not respond; its next `ready` reads again.
        () => {},
      );
    }, GATHER_MILLISECONDS);
  };
  return {
    idOf: ({ id }) => id,
    timeOf: ({ createdAt }) => createdAt,
    includes: ({ worldId }) => world === undefined || worldId === world,
    async page(cursor) {
      const part = { cursor, limit: ROWS_OF_A_PAGE };
      const [{ data, ...rest }] = await Promise.all([
        listEndpoints(world, part),
        readResults(cursor),
      ]);
      return {
        ...rest,
        data: data.map((one) => Object.assign(one, { result: results.get(one.id) })),
      };
    },
    apply({ event, data }, rows) {
      if (event === 'endpoint') rows.put({ ...data, result: results.get(data.id) });
      if (event === 'attempt') refresh(rows);
      if (event === 'removed' && data.kind === 'endpoint') rows.remove(data.id);
    },
  };
}
