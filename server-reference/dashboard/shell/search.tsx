import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';

import { address, setFilters } from '../address.ts';

/** A search looks at each row of the list, so it waits until this time after the last letter. */
const PAUSE_MILLISECONDS = 150;

/** The search in the list of the page. The address has its text. */
export function Search(): JSX.Element {
  const typed = useSignal<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const apply = (): void => {
    clearTimeout(timer.current);
    const q = typed.peek();
    typed.value = null;
    if (q !== null) setFilters({ q }, 'replace');
  };
  return (
    <input
      id="search"
      type="search"
      placeholder="Search  /"
      aria-label="Search the list"
      value={typed.value ?? address.value.filters['q'] ?? ''}
      onInput={({ currentTarget: { value } }) => {
        typed.value = value;
        clearTimeout(timer.current);
        timer.current = setTimeout(apply, PAUSE_MILLISECONDS);
      }}
      onBlur={apply}
    />
  );
}
