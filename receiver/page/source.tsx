import type { JSX } from 'preact';

import { choose, chosen, stats } from './state.ts';

/** Whether there are several sources, so that lists say which. */
export function hasSources(): boolean {
  return names().length > 1;
}

/** Returns the filter of the source that is chosen. */
export function sourceQuery(): { readonly source?: string } {
  const { source } = chosen.value;
  return source === '' ? {} : { source };
}

/** A choice of one of several sources. */
export function SourceChoice({ any = 'any' }: { readonly any?: string }): JSX.Element {
  return (
    <label>
      Source{' '}
      <select
        value={chosen.value.source}
        onChange={({ currentTarget: { value } }) => choose({ source: value })}
      >
        <option value="">{any}</option>
        {names().map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function names(): readonly string[] {
  return stats.value?.sources ?? [];
}
