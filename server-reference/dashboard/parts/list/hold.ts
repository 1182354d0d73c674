import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

import type { Rows } from '../../rows/rows.ts';
import { searchWords } from './search.ts';

/**
 * Holds the rows of a list while one has the focus or the pointer, or while the list is scrolled: a new row would move
 * what the user looks at. Returns a function that shows the new rows, at the top of the list. Another
 * search begins at the top.
 */
export function useHold<T>(element: RefObject<HTMLElement | null>, rows: Rows<T>): () => void {
  const isScrolled = (): boolean => (paneOf(element.current)?.scrollTop ?? 0) > 0;
  const update = (): void => {
    const list = element.current;
    rows.hold(list?.matches(':hover, :has(.row:focus)') === true || isScrolled());
  };
  useEffect(() => {
    const list = element.current;
    const pane = paneOf(list);
    // A finger does not rest on a row.
    const byPointer = ({ pointerType }: PointerEvent): void => {
      if (pointerType === 'mouse') update();
    };
    list?.addEventListener('pointerenter', byPointer);
    list?.addEventListener('pointerleave', byPointer);
    list?.addEventListener('focusin', update);
    // The focus moves after the event.
    const afterFocus = (): number => requestAnimationFrame(update);
    list?.addEventListener('focusout', afterFocus);
    pane?.addEventListener('scroll', update, { passive: true });
    return () => {
      pane?.removeEventListener('scroll', update);
      rows.hold(false);
    };
  }, [rows]);
  const search = searchWords.value;
  useEffect(() => paneOf(element.current)?.scrollTo({ top: 0 }), [search]);
  return () => {
    paneOf(element.current)?.scrollTo({ top: 0 });
    rows.hold(false);
    update();
  };
}

function paneOf(element: Element | null): Element | null {
  return element?.closest('.pane, main') ?? null;
}
