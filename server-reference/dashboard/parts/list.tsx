import { useComputed, useSignal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { address, go, isPlain, pathOf } from '../address.ts';
import { focused } from '../keyboard.ts';
import type { Chunk, Rows } from '../rows/rows.ts';

interface ListProps<T> {
  readonly rows: Rows<T>;
  /** The accessible name. */
  readonly label: string;
  /** The class that sets the columns. */
  readonly columns: string;
  readonly heads: readonly string[];
  /** Returns one element for each column. */
  readonly row: (row: T) => ComponentChildren;
  /** What the search compares. */
  readonly textOf: (row: T) => string;
  readonly empty: () => ComponentChildren;
}

/** A list of rows that are links to their detail. The search of the address hides rows. */
export function List<T>(props: ListProps<T>): JSX.Element {
  const { rows, label, columns, heads, empty } = props;
  // The same object at each rendering, so that a change of the page renders no rows.
  const looks = useRef<Looks<T>>(props);
  looks.current = props;
  const state = rows.state.value;
  if (typeof state === 'object') return <p class="failed">{state.failed}</p>;
  if (state === 'loading') return <p class="quiet">Loading …</p>;
  if (rows.size.value === 0) return <>{empty()}</>;
  return (
    <div class={`list ${columns}`} role="group" aria-label={label}>
      <div class="heads" aria-hidden="true">
        {heads.map((head) => (
          <span key={head}>{head}</span>
        ))}
      </div>
      {rows.chunks.value.map((chunk, place) => (
        <ChunkView key={chunk.key} chunk={chunk} isFirst={place === 0} rows={rows} looks={looks} />
      ))}
      {rows.hasMore.value && <More rows={rows} />}
    </div>
  );
}

type Looks<T> = Pick<ListProps<T>, 'row' | 'textOf'>;

interface ChunkProps<T> {
  readonly chunk: Chunk;
  readonly isFirst: boolean;
  readonly rows: Rows<T>;
  readonly looks: { readonly current: Looks<T> };
}

/** A part of the list. Its rows are on the page while it is near to what is visible. */
function ChunkView<T>({ chunk, isFirst, rows, looks }: ChunkProps<T>): JSX.Element {
  const element = useRef<HTMLUListElement>(null);
  const isNear = useSignal(isFirst);
  useEffect(() => observeNear(element.current, isNear), []);
  const ids = useComputed(() => {
    const search = (address.value.filters['q'] ?? '').toLowerCase();
    if (search === '') return chunk.ids.value;
    const matches = (id: string): boolean => {
      // A row that changes stays: the search applies to new rows, and when it changes.
      const found = rows.row(id)?.peek();
      return found !== undefined && looks.current.textOf(found).toLowerCase().includes(search);
    };
    return chunk.ids.value.filter(matches);
  });
  const open = useComputed(() => among(ids.value, address.value.id));
  const reached = useComputed(
    () => among(ids.value, focused.value) ?? (isFirst ? ids.value[0] : undefined),
  );
  if (!isNear.value) {
    return <ul ref={element} style={{ blockSize: `calc(${ids.value.length} * var(--row))` }} />;
  }
  return (
    <ul ref={element}>
      {ids.value.map((id) => (
        <RowView
          key={id}
          id={id}
          row={rows.row(id)}
          looks={looks}
          isOpen={open.value === id}
          isReached={reached.value === id}
        />
      ))}
    </ul>
  );
}

/** How far from the visible part rows are on the page: j and k move there. */
const NEAR = '800px 0px';

function observeNear(element: Element | null, isNear: Signal<boolean>): () => void {
  if (element === null) return () => {};
  const observer = new IntersectionObserver(
    (entries) => {
      isNear.value = entries.at(-1)?.isIntersecting === true;
    },
    { root: element.closest('.pane, main'), rootMargin: NEAR },
  );
  observer.observe(element);
  return () => observer.disconnect();
}

function among(ids: readonly string[], id: string | null): string | null {
  return id !== null && ids.includes(id) ? id : null;
}

interface RowProps<T> {
  readonly id: string;
  readonly row: ReadonlySignal<T> | undefined;
  readonly looks: ChunkProps<T>['looks'];
  readonly isOpen: boolean;
  /** Whether the Tab key reaches the row: one of the list is enough, and j and k move from it. */
  readonly isReached: boolean;
}

function RowView<T>({ id, row, looks, isOpen, isReached }: RowProps<T>): JSX.Element | null {
  if (row === undefined) return null;
  return (
    <li>
      <a
        href={pathOf({ id })}
        data-row={id}
        class="row"
        tabIndex={isReached ? 0 : -1}
        aria-current={isOpen ? 'true' : undefined}
        onClick={(event) => {
          if (!isPlain(event)) return;
          event.preventDefault();
          go({ id });
        }}
        onFocus={() => {
          focused.value = id;
        }}
      >
        {looks.current.row(row.value)}
      </a>
    </li>
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
