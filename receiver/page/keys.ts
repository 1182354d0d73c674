/** Handles the keys of the page. Keys with a modifier and keys in a field stay with the browser. */
export function listenToKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector('dialog[open]') !== null) return;
    const { target } = event;
    if (target instanceof HTMLElement && target.matches('input, textarea, select')) {
      if (event.key !== 'Escape') return;
      // Otherwise the browser empties the field without an event.
      event.preventDefault();
      target.blur();
      return;
    }
    const action = actionOf(event);
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}

function actionOf({ key, target }: KeyboardEvent): (() => void) | undefined {
  const row = target instanceof HTMLElement && target.matches('[data-row]') ? target : null;
  if (key === 'j' || (row !== null && key === 'ArrowDown')) return () => moveFocus(1);
  if (key === 'k' || (row !== null && key === 'ArrowUp')) return () => moveFocus(-1);
  if (key === '/') return () => document.querySelector<HTMLElement>('header input')?.focus();
  if (key === 'Enter' && row !== null) return () => open(row);
  return undefined;
}

/** Shows what a row is about. */
function open(row: HTMLElement): void {
  location.hash = row.dataset['row'] ?? '';
}

/** Moves the focus by rows. Without a focused row, begins at the first. */
function moveFocus(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const from = rows.findIndex((row) => row.contains(document.activeElement));
  const next = from === -1 ? rows[0] : rows[Math.min(rows.length - 1, Math.max(0, from + step))];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'nearest' });
}
