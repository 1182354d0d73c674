import { useComputed } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { setFilters } from '../../address.ts';
import type { Rows } from '../../rows/rows.ts';
import { ChunkView } from './chunk.tsx';
import type { Looks } from './chunk.tsx';
import { useHold } from './hold.ts';
import { isMatch, searchWords } from './search.ts';
import type { Searchable } from './search.ts';

interface ListProps<T> extends Looks<T> {
  readonly rows: Rows<T>;
  /** The accessible name, in the plural. */
  readonly label: string;
  /** What one row is, such as `delivery`. */
  readonly one: string;
  /** The class that sets the columns. */
  readonly columns: string;
  readonly heads: readonly string[];
  readonly searchable: (row: T) => Searchable;
  /** Shows the rows in another way than as one row each. */
  readonly grouped?: (ids: readonly string[]) => ComponentChildren;
  readonly empty: () => ComponentChildren;
}

/** A list of rows that are links to their detail. The search of the address hides rows. */
export function List<T>(props: ListProps<T>): JSX.Element {
  const { rows, empty } = props;
  const state = rows.state.value;
  if (typeof state === 'object') return <p class="failed">{state.failed}</p>;
  if (state === 'loading') return <p class="quiet">Loading …</p>;
  if (rows.size.value === 0) return <>{empty()}</>;
  return <ReadyList {...props} />;
}

function ReadyList<T>(props: ListProps<T>): JSX.Element {
  const { rows, label, columns, heads, grouped } = props;
  const element = useRef<HTMLDivElement>(null);
  const release = useHold(element, rows);
  // The same object at each rendering, so that a change of the page renders no rows.
  const looks = useRef<Looks<T>>(props);
  looks.current = props;
  const shown = useComputed(() =>
    rows.chunks.value.map((chunk) => {
      const words = searchWords.value;
      if (words.length === 0) return { chunk, ids: chunk.ids.value };
      const matches = (id: string): boolean => {
        // A row that changes stays: the search applies to new rows, and when it changes.
        const found = rows.row(id)?.peek();
        return found !== undefined && isMatch(words, props.searchable(found));
      };
      return { chunk, ids: chunk.ids.value.filter(matches) };
    }),
  ).value;
  const first = shown.findIndex(({ ids }) => ids.length > 0);
  return (
    <div ref={element} class={`list ${columns}`} role="group" aria-label={label}>
      {grouped === undefined && (
        <div class="heads" aria-hidden="true">
          {heads.map((head) => (
            <span key={head}>{head}</span>
          ))}
        </div>
      )}
      <Fresh {...props} release={release} />
      <Matches {...props} count={shown.reduce((sum, { ids }) => sum + ids.length, 0)} />
      {grouped?.(shown.flatMap(({ ids }) => ids)) ??
        shown.map(({ chunk, ids }, place) => (
          <ChunkView
            key={chunk.key}
            ids={ids}
            isFirst={place === Math.max(0, first)}
            rows={rows}
            looks={looks}
          />
        ))}
      {rows.hasMore.value && <More rows={rows} />}
    </div>
  );
}

interface FreshProps<T> extends ListProps<T> {
  readonly release: () => void;
}

/** How many new rows wait, while the list is held. */
function Fresh<T>({ rows, one, label, searchable, release }: FreshProps<T>): JSX.Element | null {
  const words = searchWords.value;
  const count = rows.fresh.value.filter((row) => isMatch(words, searchable(row))).length;
  if (count === 0) return null;
  return (
    <div class="fresh">
      <button type="button" onClick={release}>
        {`${count} new ${count === 1 ? one : label.toLowerCase()}`}
      </button>
    </div>
  );
}

interface MatchesProps<T> extends ListProps<T> {
  readonly count: number;
}

/** How many rows match the search. */
function Matches<T>({ rows, one, label, count }: MatchesProps<T>): JSX.Element | null {
  const words = searchWords.value;
  if (words.length === 0) return null;
  const text = words.join(' ');
  const found = `${count} of ${rows.size.value} ${label.toLowerCase()} match “${text}”.`;
  return (
    <p class="matches">
      <span role="status">{count === 0 ? `No ${one} matches “${text}”.` : found}</span>{' '}
      <button type="button" onClick={() => setFilters({ q: '' }, 'replace')}>
        Clear
      </button>
    </p>
  );
}

/** Reads the next page when the end of the list comes into view, and for who presses it. */
function More<T>({ rows }: { readonly rows: Rows<T> }): JSX.Element {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting === true) void rows.more();
    });
    if (button.current !== null) observer.observe(button.current);
    return () => observer.disconnect();
    // The next observer looks again, because the end may still be in view.
  }, [rows, rows.chunks.value.length]);
  return (
    <button type="button" ref={button} class="more" onClick={() => void rows.more()}>
      Load older rows
    </button>
  );
}
