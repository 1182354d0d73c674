import type { JSX } from 'preact';

import { address, pathOf, setFilters } from '../../address.ts';
import { valueOf } from '../../parts/loaded.tsx';
import { useCounts } from '../../rows/counts.ts';
import { STATUSES, wantedOf } from './filters.ts';
import { RedeliverAll } from './redeliver-all.tsx';

const FILTERS = ['endpoint', 'run', 'event'] as const;

/**
 * The filters of the list: links for the status, and one chip for each other filter, which removes it. On a phone only
 * the first row stays when the list scrolls.
 */
export function FilterBar(): JSX.Element {
  const { id, filters } = address.value;
  const { status: _status, ...wanted } = wantedOf(filters);
  const counts = valueOf(useCounts(wanted));
  const linkTo = (status: string): string => pathOf({ id, filters: { ...filters, status } });
  const current = filters['status'] ?? '';
  const isGrouped = filters['group'] === 'run';
  return (
    <div class="toolbar">
      <div class="filters">
        <nav aria-label="Status">
          <a href={linkTo('')} aria-current={current === '' ? 'true' : undefined}>
            all
          </a>
          {STATUSES.map(({ name, status }) => (
            <a key={name} href={linkTo(name)} aria-current={name === current ? 'true' : undefined}>
              {name} {counts !== undefined && <Count name={name} count={counts[status]} />}
            </a>
          ))}
        </nav>
        <button
          type="button"
          aria-pressed={isGrouped}
          onClick={() => setFilters({ group: isGrouped ? '' : 'run' })}
        >
          By run
        </button>
      </div>
      <div class="filters more-filters">
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
        <RedeliverAll count={counts?.ended ?? 0} filters={wanted} />
      </div>
    </div>
  );
}

/** A count; only one above zero has the colour of its status. */
function Count({ name, count }: { readonly name: string; readonly count: number }): JSX.Element {
  return <span class={count > 0 ? `count ${name}` : 'count'}>{count}</span>;
}
