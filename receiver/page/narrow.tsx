import type { JSX } from 'preact';

import { goTo } from './state.ts';

/** Returns the filter of an id. The ids of agents and workflows have these beginnings. */
export function ofId(id: string): { readonly runId?: string; readonly automationId?: string } {
  if (id === '') return {};
  return /^(agent|wf)_/.test(id) ? { automationId: id } : { runId: id };
}

/** A field that narrows a list to what belongs to an id. */
export function Narrow({
  list,
  label,
  id,
}: {
  readonly list: 'waiting' | 'dead' | 'runs';
  readonly label: string;
  readonly id: string;
}): JSX.Element {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const value = new FormData(event.currentTarget).get('of');
        if (typeof value === 'string') goTo(list, value.trim());
      }}
    >
      <input key={id} name="of" type="search" aria-label={label} placeholder={label} value={id} />
      <button>Show</button>
      {id !== '' && <a href={`#${list}`}>Show all</a>}
    </form>
  );
}
