import { useEffect, useState } from 'preact/hooks';
import type { ComponentChildren, JSX } from 'preact';

import { read } from './call.ts';
import type { Reads } from './call.ts';
import { failure, turn } from './state.ts';

/** What is read page by page. */
type Lists = Pick<Reads, 'waiting' | 'dead' | 'runs'>;
type ItemOf<Name extends keyof Lists> = Lists[Name]['items'][number];

interface ListProperties<Name extends keyof Lists> {
  readonly of: Name;
  /** Which of them; another query reads from the start. */
  readonly query?: Readonly<Record<string, string>>;
  readonly label: string;
  readonly columns: readonly string[];
  readonly empty: string;
  readonly row: (item: ItemOf<Name>) => ComponentChildren;
  /** The address of what a row is about. */
  readonly addressOf: (item: ItemOf<Name>) => string;
}

/** A table of a store, page by page, which is read again with each look. */
export function List<Name extends keyof Lists>(properties: ListProperties<Name>): JSX.Element {
  const { label, columns, empty, of, query = {}, row, addressOf } = properties;
  const [page, setPage] = useState<Lists[Name] | null>(null);
  const [starts, setStarts] = useState<readonly (string | null)[]>([null]);
  const start = starts.at(-1) ?? null;
  const asked = JSON.stringify(query);
  useEffect(() => setStarts([null]), [asked]);
  useEffect(() => {
    let isCurrent = true;
    read(of, { ...query, ...(start !== null && { after: start }) }).then(
      (found) => isCurrent && setPage(found),
      (error: unknown) => {
        failure.value = error instanceof Error ? error.message : String(error);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [turn.value, start, asked]);
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
            {page.items.map((item: ItemOf<Name>) => (
              <tr key={addressOf(item)} data-row={addressOf(item)} tabIndex={-1}>
                {row(item)}
              </tr>
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
