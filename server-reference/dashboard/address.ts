import { signal } from '@preact/signals';
import type { Signal } from '@preact/signals';

const PREFIX = '/_dashboard/';

/** What the address names: a page, at most one row of it, and filters. */
export interface Address {
  readonly page: string;
  readonly id: string | null;
  readonly filters: Readonly<Record<string, string>>;
}

/** The current address. {@link go} changes it. */
export const address: Signal<Address> = signal(readAddress());

window.addEventListener('popstate', () => {
  address.value = readAddress();
});

/** The filter that every page has. */
export const WORLD = 'world';
/** Filters that belong to the open row. */
const OF_ROW = new Set(['attempt']);

/** Returns the path of an address, for a link. Without filters it keeps the world. Empty filters are left out. */
export function pathOf({ page, id = null, filters = keptFilters() }: Partial<Address>): string {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''));
  const path = [page ?? address.value.page, ...(id === null ? [] : [encodeURIComponent(id)])];
  return PREFIX + path.join('/') + (query.size === 0 ? '' : `?${query.toString()}`);
}

/**
 * Changes parts of the address. Another page keeps the world only, and another row keeps the filters of the list.
 * `replace` adds no entry to the history.
 */
export function go(change: Partial<Address>, how: 'push' | 'replace' = 'push'): void {
  const { page, filters } = address.value;
  const ofList = Object.entries(filters).filter(([name]) => !OF_ROW.has(name));
  const kept = change.page === undefined ? Object.fromEntries(ofList) : keptFilters();
  goTo(pathOf({ page, id: null, filters: kept, ...change }), how);
}

/** Sets filters of the address, and keeps the open row. An empty filter is removed. */
export function setFilters(change: Address['filters'], how: 'push' | 'replace' = 'push'): void {
  const { page, id, filters } = address.value;
  goTo(pathOf({ page, id, filters: { ...filters, ...change } }), how);
}

function keptFilters(): Address['filters'] {
  const world = address.value.filters[WORLD];
  return world === undefined ? {} : { [WORLD]: world };
}

/** Changes the address to a path of {@link pathOf}. */
export function goTo(path: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', path);
  else history.replaceState(null, '', path);
  address.value = readAddress();
}

/** Follows a link of the page without a reload. Other links, and clicks for a new tab, stay with the browser. */
export function followLink(event: MouseEvent): void {
  if (!isPlain(event) || event.defaultPrevented) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.origin !== location.origin) return;
  if (link.target !== '' || !link.pathname.startsWith(PREFIX)) return;
  event.preventDefault();
  goTo(link.pathname + link.search);
}

/** Opens a row of the list by a click on its link, and keeps the filters of the list. */
export function openRow(event: MouseEvent, id: string): void {
  if (!isPlain(event)) return;
  event.preventDefault();
  go({ id });
}

/** Returns whether a click opens no new tab or window. */
function isPlain({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}

function readAddress(): Address {
  const [page = '', id = ''] = location.pathname.slice(PREFIX.length).split('/');
  return {
    page: page === '' ? 'deliveries' : page,
    id: id === '' ? null : decode(id),
    filters: Object.fromEntries(new URLSearchParams(location.search)),
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
