import { useEffect, useState } from 'preact/hooks';
import type { ComponentChildren, JSX } from 'preact';

import { failure, turn } from './state.ts';

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

interface ListProperties<Item> {
  readonly label: string;
  readonly columns: readonly string[];
  readonly empty: string;
  /** Another text reads from the start. */
  readonly of?: string;
  readonly read: (after: string | null) => Promise<Page<Item>>;
  readonly row: (item: Item) => ComponentChildren;
  readonly keyOf: (item: Item) => string;
}

/** A table of a store, page by page, which is read again with each look. */
export function List<Item>(properties: ListProperties<Item>): JSX.Element {
  const { label, columns, empty, of = '', read, row, keyOf } = properties;
  const [page, setPage] = useState<Page<Item> | null>(null);
  const [starts, setStarts] = useState<readonly (string | null)[]>([null]);
  const start = starts.at(-1) ?? null;
  useEffect(() => setStarts([null]), [of]);
  useEffect(() => {
    let isCurrent = true;
    read(start).then(
      (found) => isCurrent && setPage(found),
      (error: unknown) => {
        failure.value = error instanceof Error ? error.message : String(error);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [turn.value, start, of]);
  if (page === null) return <p class="empty">Loading…</p>;
  if (page.items.length === 0 && starts.length === 1) return <p class="empty">{empty}</p>;
  const next = page.next;
  return (
    <>
      <div class="scroll" role="region" aria-label={label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {page.items.map((item) => (
              <tr key={keyOf(item)}>{row(item)}</tr>
            ))}
          </tbody>
        </table>
      </div>
      {(starts.length > 1 || next !== null) && (
        <nav class="pages" aria-label="Pages">
          <button disabled={starts.length === 1} onClick={() => setStarts(starts.slice(0, -1))}>
            Back
          </button>
          <span>Page {starts.length}</span>
          <button disabled={next === null} onClick={() => setStarts([...starts, next])}>
            Next
          </button>
        </nav>
      )}
    </>
  );
}
