import { useSignal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { address, openRow, pathOf } from '../../address.ts';
import { focused } from '../../keyboard.ts';
import type { Rows } from '../../rows/rows.ts';
import { markWords, searchWords } from './search.ts';

/** How the rows of a list look. */
export interface Looks<T> {
  /** Returns one element for each column. */
  readonly row: (row: T) => ComponentChildren;
  /** Returns a class of the row. Default: none. */
  readonly mark?: (row: T) => string | undefined;
}

interface ChunkProps<T> {
  readonly ids: readonly string[];
  readonly isFirst: boolean;
  readonly rows: Rows<T>;
  readonly looks: { readonly current: Looks<T> };
}

/** A part of the list. Its rows are on the page while it is near to what is visible. */
export function ChunkView<T>({ ids, isFirst, rows, looks }: ChunkProps<T>): JSX.Element {
  const element = useRef<HTMLUListElement>(null);
  const isNear = useSignal(isFirst);
  useEffect(() => observeNear(element.current, isNear), []);
  const open = among(ids, address.value.id);
  const reached = among(ids, focused.value) ?? (isFirst ? ids[0] : undefined);
  if (!isNear.value) {
    return <ul ref={element} style={{ blockSize: `calc(${ids.length} * var(--row))` }} />;
  }
  return (
    <ul ref={element}>
      {ids.map((id) => (
        <RowView
          key={id}
          id={id}
          row={rows.row(id)}
          looks={looks}
          isOpen={open === id}
          isReached={reached === id}
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
  const element = useRef<HTMLAnchorElement>(null);
  const words = searchWords.value;
  const shown = row?.value;
  useEffect(() => {
    return element.current === null ? undefined : markWords(element.current, words);
  }, [words, shown]);
  if (shown === undefined) return null;
  const mark = looks.current.mark?.(shown) ?? '';
  return (
    <li>
      <a
        ref={element}
        href={pathOf({ id })}
        data-row={id}
        class={`row ${mark}`}
        tabIndex={isReached ? 0 : -1}
        aria-current={isOpen ? 'true' : undefined}
        onClick={(event) => openRow(event, id)}
        onFocus={() => {
          focused.value = id;
        }}
      >
        {looks.current.row(shown)}
      </a>
    </li>
  );
}
