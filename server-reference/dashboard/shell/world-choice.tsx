import type { JSX } from 'preact';

import { address, setFilters, WORLD } from '../address.ts';
import { listWorlds } from '../control/operations.ts';
import { useRecord } from '../rows/record.ts';

/** Chooses the world whose rows are shown, if there are several. */
export function WorldChoice(): JSX.Element | null {
  const reading = useRecord('worlds', {
    read: async () => (await listWorlds()).data,
    concerns: ({ event, data }) =>
      event === 'world' || (event === 'removed' && data.kind === 'world'),
  }).value;
  const worlds = reading !== null && 'value' in reading ? reading.value : [];
  if (worlds.length < 2) return null;
  const chosen = address.value.filters[WORLD] ?? '';
  return (
    <select
      class="world"
      aria-label="World"
      value={chosen}
      onChange={({ currentTarget: { value } }) => setFilters({ [WORLD]: value })}
    >
      <option value="">All worlds</option>
      {worlds.map(({ id, label }) => (
        <option key={id} value={id}>
          {label ?? id}
        </option>
      ))}
    </select>
  );
}
