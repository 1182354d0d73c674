import { signal } from '@preact/signals';
import type { Signal } from '@preact/signals';

const KEY = 'hookproof-control-token';

/** The control token; null until the user gives one. Only this tab keeps it, and no address contains it. */
export const token: Signal<string | null> = signal(takeToken());
/** Whether the server refused the last token. */
export const isRefused: Signal<boolean> = signal(false);

/** Whether the refused token was accepted before: then the server has started again. */
export const isOld: Signal<boolean> = signal(false);
let isAccepted = false;

/** Remembers that the server has accepted the token. */
export function acceptToken(): void {
  isAccepted = true;
}

/** Uses a token from now on. */
export function setToken(text: string): void {
  sessionStorage.setItem(KEY, text);
  isRefused.value = false;
  token.value = text;
}

/** Forgets the token, because the server refused it. */
export function refuseToken(): void {
  sessionStorage.removeItem(KEY);
  isRefused.value = true;
  isOld.value = isAccepted;
  isAccepted = false;
  token.value = null;
}

/** An address with a token in its fragment can be opened in a tab that is already here. */
window.addEventListener('hashchange', () => {
  if (location.hash.startsWith('#hpc_')) setToken(takeToken() ?? '');
});

/** Moves the token from the fragment into the storage of the tab. */
function takeToken(): string | null {
  if (location.hash.startsWith('#hpc_')) {
    sessionStorage.setItem(KEY, location.hash.slice(1));
    history.replaceState(null, '', location.pathname + location.search);
  }
  return sessionStorage.getItem(KEY);
}
