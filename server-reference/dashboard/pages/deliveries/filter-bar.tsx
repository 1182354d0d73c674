import type { DeliveryStatus } from '@hookproof/spec/control';
import type { JSX } from 'preact';

import { address, pathOf, setFilters } from '../../address.ts';

/** The statuses as the address and the page name them. */
export const STATUSES: readonly { readonly name: string; readonly status: DeliveryStatus }[] = [
  { name: 'pending', status: 'pending' },
  { name: 'delivered', status: 'delivered' },
  { name: 'failed', status: 'ended' },
];

const FILTERS = ['endpoint', 'run', 'event'] as const;

/** The filters of the list: links for the status, and one chip for each other filter, which removes it. */
export function FilterBar(): JSX.Element {
  const { id, filters } = address.value;
  const linkTo = (status: string): string => pathOf({ id, filters: { ...filters, status } });
  const current = filters['status'] ?? '';
  return (
    <div class="filters">
      <nav aria-label="Status">
        {['', ...STATUSES.map(({ name }) => name)].map((name) => (
          <a key={name} href={linkTo(name)} aria-current={name === current ? 'true' : undefined}>
            {name === '' ? 'all' : name}
          </a>
        ))}
      </nav>
      {FILTERS.flatMap((name) => {
        const value = filters[name];
        if (value === undefined) return [];
        return [
          <button
            type="button"
            key={name}
            class="filter"
            title="Remove this filter"
            onClick={() => setFilters({ [name]: '' })}
          >
            {name} <span class="id">{value}</span> ✕
          </button>,
        ];
      })}
    </div>
  );
}
