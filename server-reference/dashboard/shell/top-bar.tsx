import type { JSX } from 'preact';

import { address, go, pathOf } from '../address.ts';
import { connection } from '../live/connection.ts';

/** The bar above every page: name, search and connection. */
export function TopBar(): JSX.Element {
  return (
    <header class="top">
      <a class="brand" href={pathOf({ page: 'deliveries' })}>
        Hookproof
      </a>
      <input
        id="search"
        type="search"
        placeholder="Search (/)"
        aria-label="Search the list"
        value={address.value.filters['q'] ?? ''}
        onInput={({ currentTarget: { value } }) => {
          const { id, filters } = address.value;
          go({ id, filters: { ...filters, q: value } }, 'replace');
        }}
      />
      <ConnectionWord />
    </header>
  );
}

function ConnectionWord(): JSX.Element {
  const now = connection.value;
  if (now.state !== 'lost') {
    return (
      <span class={`connection ${now.state === 'live' ? 'live' : 'waiting'}`} role="status">
        {now.state}
      </span>
    );
  }
  return (
    <span class="connection lost" role="status" title={now.reason}>
      lost, retry in {now.retryIn} s
    </span>
  );
}
