import type { JSX } from 'preact';

import { address, setFilters } from '../address.ts';

interface ChoiceProps {
  /** Its name in the address. */
  readonly name: string;
  readonly label: string;
  readonly options: readonly string[];
}

/** A filter by one of several options. */
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
