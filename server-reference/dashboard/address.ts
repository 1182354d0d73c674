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

/** Returns the path of an address, for a link. Empty filters are left out. */
export function pathOf({ page, id = null, filters = {} }: Partial<Address>): string {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''));
  const path = [page ?? address.value.page, ...(id === null ? [] : [encodeURIComponent(id)])];
  return PREFIX + path.join('/') + (query.size === 0 ? '' : `?${query.toString()}`);
}

/** Changes parts of the address. Another page begins without filters. `replace` adds no entry to the history. */
export function go(change: Partial<Address>, how: 'push' | 'replace' = 'push'): void {
  const { page, filters } = address.value;
  const next = { page, id: null, filters: change.page === undefined ? filters : {}, ...change };
  goTo(pathOf(next), how);
}

/** Changes the address to a path of {@link pathOf}. */
export function goTo(path: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', path);
  else history.replaceState(null, '', path);
  address.value = readAddress();
}

/** Follows a link of the page without a reload. Other links, and clicks for a new tab, stay with the browser. */
export function followLink(event: MouseEvent): void {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.origin !== location.origin) return;
  if (link.target !== '' || !link.pathname.startsWith(PREFIX)) return;
  event.preventDefault();
  goTo(link.pathname + link.search);
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
