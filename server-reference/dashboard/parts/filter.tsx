import type { JSX } from 'preact';

import { address, pathOf, setFilters } from '../address.ts';

interface ChoiceProps {
  /** Its name in the address. */
  readonly name: string;
  readonly label: string;
  readonly options: readonly string[];
}

/** A filter with few options: one link for each. */
export function FilterLinks({ name, label, options }: ChoiceProps): JSX.Element {
  const { id, filters } = address.value;
  const current = filters[name] ?? '';
  return (
    <nav aria-label={label}>
      {['', ...options].map((option) => (
        <a
          key={option}
          href={pathOf({ id, filters: { ...filters, [name]: option } })}
          aria-current={option === current ? 'true' : undefined}
        >
          {option === '' ? 'all' : option}
        </a>
      ))}
    </nav>
  );
}

/** A filter with many options. */
export function FilterSelect({ name, label, options }: ChoiceProps): JSX.Element {
  return (
    <select
      aria-label={label}
      value={address.value.filters[name] ?? ''}
      onChange={({ currentTarget: { value } }) => setFilters({ [name]: value })}
    >
      <option value="">{`${label}: all`}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  );
}
