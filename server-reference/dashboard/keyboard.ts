import { signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { address, go } from './address.ts';

/** Whether the help is open. */
export const isHelpOpen: Signal<boolean> = signal(false);

interface PageKey {
  readonly name: string;
  readonly key: string;
}

const SEQUENCE_MILLISECONDS = 1_500;

/** Until when a letter after `g` opens a page. */
let pageLetterUntil = 0;

/**
 * Handles the keys of the page. Keys with a modifier and keys in a field stay with the browser.
 *
 * @param pages - those that `g` and a letter opens
 */
export function listenToKeys(pages: readonly PageKey[]): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const field =
      event.target instanceof Element && event.target.matches('input, textarea, select');
    if (field) {
      if (event.key !== 'Escape' || !(event.target instanceof HTMLElement)) return;
      // Otherwise the browser empties the field without an event.
      event.preventDefault();
      event.target.blur();
      return;
    }
    if (isHelpOpen.value) return;
    const action = actionOf(event, pages);
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}

function actionOf(
  { key, target, timeStamp }: KeyboardEvent,
  pages: readonly PageKey[],
): (() => void) | undefined {
  if (timeStamp < pageLetterUntil) {
    pageLetterUntil = 0;
    const page = pages.find((one) => one.key === key);
    if (page !== undefined) return () => go({ page: page.name });
  }
  // Arrows move the focus within the list only. Everywhere else they scroll.
  const isInList = target instanceof Element && target.matches('[data-row]');
  if (key === 'j' || (isInList && key === 'ArrowDown')) return () => moveFocus(1);
  if (key === 'k' || (isInList && key === 'ArrowUp')) return () => moveFocus(-1);
  if (key === 'g') return () => (pageLetterUntil = timeStamp + SEQUENCE_MILLISECONDS);
  if (key === '/') return () => document.getElementById('search')?.focus();
  if (key === '?') return () => (isHelpOpen.value = true);
  if (key === 'Escape' && address.value.id !== null) return closeDetail;
  return pageAction(key);
}

type Actions = Readonly<Record<string, () => void>>;

const stack: Actions[] = [];

/** What the keys of the page do now, such as `r`. */
function pageAction(key: string): (() => void) | undefined {
  return stack.findLast((actions) => actions[key] !== undefined)?.[key];
}

/** Binds keys while the component is on the page. */
export function useKeys(actions: Actions): void {
  useEffect(() => {
    stack.push(actions);
    return () => {
      stack.splice(stack.indexOf(actions), 1);
    };
  });
}

/** The row that has the focus, or had it last. */
export const focused: Signal<string | null> = signal(null);

/** Moves the focus by rows. Without a focused row, begins at the first. */
export function moveFocus(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.findIndex((row) => row === document.activeElement);
  const from = at === -1 ? rows.findIndex((row) => row.dataset['row'] === focused.value) : at;
  const next = from === -1 ? rows[0] : rows[Math.min(rows.length - 1, Math.max(0, from + step))];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'nearest' });
}

/** Gives the focus back to a row, if it is still in the list. */
function focusRow(id: string): void {
  const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);
  row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest' });
}

/** Closes the open detail and gives the focus back to its row. */
export function closeDetail(): void {
  const { id } = address.value;
  if (id === null) return;
  go({ id: null });
  // The list may be hidden until it is rendered without the detail.
  requestAnimationFrame(() => focusRow(id));
}
