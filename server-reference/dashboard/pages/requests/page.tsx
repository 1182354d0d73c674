import type { ApiKey, ApiRequest } from '@hookproof/spec/control';
import type { JSX } from 'preact';

import { address, pathOf, WORLD } from '../../address.ts';
import { listRequests } from '../../control/operations.ts';
import type { RequestFilters } from '../../control/operations.ts';
import { listKeys } from '../../control/worlds.ts';
import { Empty } from '../../parts/command.tsx';
import { FilterSelect } from '../../parts/filter.tsx';
import { List } from '../../parts/list/list.tsx';
import { valueOf } from '../../parts/loaded.tsx';
import { Split } from '../../parts/page.tsx';
import type { Page } from '../../parts/page.tsx';
import { Chip, duration, Time } from '../../parts/values.tsx';
import { useRecord } from '../../rows/record.ts';
import { ROWS_OF_A_PAGE, useRows } from '../../rows/rows.ts';
import type { LiveSource } from '../../rows/rows.ts';
import { RequestDetail } from './detail.tsx';
import { keyName, responseOf } from './request-words.ts';

/** The requests of the API, newest first. */
export const requests: Page = {
  name: 'requests',
  title: 'Requests',
  key: 'q',
  view: () => <Requests />,
};

const STEPS = [
  'form',
  'signature',
  'key',
  'limit',
  'fault',
  'route',
  'scope',
  'validation',
  'handler',
];

function Requests(): JSX.Element {
  const { id, filters } = address.value;
  const keys = useRecord('keys', {
    read: async () => (await listKeys()).data,
    concerns: ({ event }) => event === 'key',
  });
  const wanted = {
    worldId: filters[WORLD],
    keyId: filters['key'],
    refusedAt: filters['refused'],
  };
  const rows = useRows(JSON.stringify(wanted), source(wanted));
  const known = valueOf(keys) ?? [];
  const list = (
    <>
      <div class="filters">
        <FilterSelect name="refused" label="Refused by" options={STEPS} />
      </div>
      <List
        rows={rows}
        label="Requests"
        one="request"
        columns="requests"
        heads={['Time', 'Request', 'Key', 'Response', 'Step']}
        searchable={({ id: requestId, method, path, status, code }) => ({
          text: [method, path, status, code].join(' '),
          ids: [requestId],
          fields: { status: String(status ?? '') },
        })}
        row={(request) => <Cells request={request} keys={known} />}
        empty={() => <NoRequests isFiltered={wanted.refusedAt !== undefined} />}
      />
    </>
  );
  return (
    <Split
      list={list}
      detail={id === null ? null : <RequestDetail key={id} id={id} keys={known} />}
    />
  );
}

function NoRequests({ isFiltered }: { readonly isFiltered: boolean }): JSX.Element {
  if (isFiltered) {
    return (
      <Empty title="No request was refused by this step">
        <a href={pathOf({ page: 'requests' })}>Show all requests</a>
      </Empty>
    );
  }
  const command = `curl -H "Authorization: Bearer $HOOKPROOF_KEY" ${location.origin}/v1/auth/check`;
  return (
    <Empty title="No requests yet" command={command}>
      <p>Call the API with a key of the page World:</p>
    </Empty>
  );
}

function Cells({
  request,
  keys,
}: {
  readonly request: ApiRequest;
  readonly keys: readonly ApiKey[];
}): JSX.Element {
  const { at, method, path, keyId, refusedAt, code, milliseconds } = request;
  return (
    <>
      <Time iso={at} />
      <span class="name">
        <b>{method}</b> {path}
      </span>
      <span class="quiet key">{keyName(keyId, keys)}</span>
      <span class="result">
        <Chip {...responseOf(request)} /> <span class="quiet">{duration(milliseconds)}</span>
      </span>
      <span class="quiet step">{refusedAt === null ? '' : `${refusedAt}: ${code}`}</span>
    </>
  );
}

function source(wanted: RequestFilters): LiveSource<ApiRequest> {
  return {
    idOf: ({ id }) => id,
    timeOf: ({ at }) => at,
    includes: ({ worldId, keyId, refusedAt }) =>
      (wanted.worldId === undefined || wanted.worldId === worldId) &&
      (wanted.keyId === undefined || wanted.keyId === keyId) &&
      (wanted.refusedAt === undefined || wanted.refusedAt === refusedAt),
    page: (cursor) => listRequests(wanted, { cursor, limit: ROWS_OF_A_PAGE }),
    apply({ event, data }, rows) {
      if (event === 'request') rows.put(data);
    },
  };
}
