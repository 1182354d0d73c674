import type { JSX } from 'preact';

import { Id } from './values.tsx';

/** Returns the filter of an id. The ids of agents and workflows have these beginnings. */
export function ofId(id: string): { readonly runId?: string; readonly automationId?: string } {
  if (id === '') return {};
  return /^(agent|wf)_/.test(id) ? { automationId: id } : { runId: id };
}

/** Says that a list is only of what belongs to an id. */
export function Narrowed({
  list,
  id,
}: {
  readonly list: 'waiting' | 'dead' | 'runs';
  readonly id: string;
}): JSX.Element | null {
  if (id === '') return null;
  return (
    <p class="narrowed">
      Only of <Id id={id} isWhole />. <a href={`#${list}`}>Show all</a>
    </p>
  );
}
