import { useSignal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { World, WorldSummary } from '@hookproof/spec/control';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';

import { address, go } from '../../address.ts';
import { listWorlds } from '../../control/operations.ts';
import { createWorld, getWorld } from '../../control/worlds.ts';
import { List } from '../../parts/list/list.tsx';
import { valueOf } from '../../parts/loaded.tsx';
import { attempt } from '../../parts/notice.tsx';
import { Split } from '../../parts/page.tsx';
import type { Page } from '../../parts/page.tsx';
import { useRecord } from '../../rows/record.ts';
import type { Reading } from '../../rows/record.ts';
import { useRows } from '../../rows/rows.ts';
import type { LiveSource } from '../../rows/rows.ts';
import { WorldDetail } from './detail.tsx';

/** The worlds with their keys and fixtures. */
export const world: Page = { name: 'world', title: 'World', key: 'w', view: () => <Worlds /> };

function Worlds(): JSX.Element {
  const { id } = address.value;
  const rows = useRows('worlds', WORLDS);
  const first = useRecord('default world', { read: getWorld, concerns: () => false });
  const defaultId = valueOf(first)?.id;
  const only = rows.size.value === 1 ? defaultId : undefined;
  // Its keys are what one came for.
  useEffect(() => {
    if (only !== undefined && address.peek().id === null) go({ id: only }, 'replace');
  }, [only]);
  const list = (
    <>
      <NewWorld />
      <p class="quiet about">
        A world is an isolated set of sample data, with API keys of its own: one for each test run,
        or for each person.
      </p>
      <List
        rows={rows}
        label="Worlds"
        one="world"
        columns="worlds"
        heads={['World', 'ID']}
        searchable={({ id: worldId, label = '' }) => ({ text: label, ids: [worldId] })}
        row={(one) => <WorldCells world={one} first={first} />}
        empty={() => null}
      />
    </>
  );
  const isDefault = id === defaultId;
  return (
    <Split
      list={list}
      detail={id === null ? null : <WorldDetail key={id} id={id} isDefault={isDefault} />}
    />
  );
}

interface WorldCellsProps {
  readonly world: WorldSummary;
  /** The default world, which can be read after the row. */
  readonly first: ReadonlySignal<Reading<World>>;
}

function WorldCells({ world: { id, label }, first }: WorldCellsProps): JSX.Element {
  const isDefault = valueOf(first)?.id === id;
  return (
    <>
      <b class="name">{label ?? (isDefault ? 'default world' : id)}</b>
      <span class="id quiet">{id}</span>
    </>
  );
}

function NewWorld(): JSX.Element {
  const label = useSignal('');
  const create = (event: Event): void => {
    event.preventDefault();
    void attempt(async () => {
      const { id } = await createWorld(label.value.trim());
      label.value = '';
      go({ id });
    }, 'World created.');
  };
  return (
    <form class="filters" onSubmit={create}>
      <input
        aria-label="Label of the new world"
        placeholder="label"
        maxLength={200}
        value={label.value}
        onInput={({ currentTarget: { value } }) => {
          label.value = value;
        }}
      />
      <button type="submit">New world</button>
    </form>
  );
}

/** All worlds, because the server lists them oldest first and without a time. */
const WORLDS: LiveSource<WorldSummary> = {
  idOf: ({ id }) => id,
  timeOf: () => '',
  page: async () => ({ data: (await listWorlds()).data.toReversed() }),
  apply({ event, data }, rows) {
    if (event === 'world') rows.put(data);
    if (event === 'removed' && data.kind === 'world') rows.remove(data.id);
  },
};
