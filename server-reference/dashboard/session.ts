import { signal } from '@preact/signals';
import type { Signal } from '@preact/signals';

const KEY = 'hookproof-control-token';
/** What the server said of the token: `accepted` or `refused`, or `old` if it refused one that it had accepted. */
const VERDICT_KEY = 'hookproof-control-verdict';

type Verdict = 'unknown' | 'accepted' | 'refused' | 'old';

/** The control token; null until the user gives one. Only this tab keeps it, and no address contains it. */
export const token: Signal<string | null> = signal(takeToken());
/** What the server said of the last token. The tab keeps it too, because users reload a page that fails. */
export const verdict: Signal<Verdict> = signal(readVerdict());

/** Remembers that the server has accepted the token. */
export function acceptToken(): void {
  setVerdict('accepted');
}

/** Uses a token from now on. */
export function setToken(text: string): void {
  sessionStorage.setItem(KEY, text);
  setVerdict('unknown');
  token.value = text;
}

/** Forgets the token, because the server refused it. One that it had accepted is of a server before this one. */
export function refuseToken(): void {
  sessionStorage.removeItem(KEY);
  if (token.value !== null) setVerdict(verdict.value === 'accepted' ? 'old' : 'refused');
  token.value = null;
}

function setVerdict(next: Verdict): void {
  if (verdict.value === next) return;
  sessionStorage.setItem(VERDICT_KEY, next);
  verdict.value = next;
}

function readVerdict(): Verdict {
  const saved = sessionStorage.getItem(VERDICT_KEY);
  return saved === 'accepted' || saved === 'refused' || saved === 'old' ? saved : 'unknown';
}

/** An address with a token in its fragment can be opened in a tab that is already here. */
window.addEventListener('hashchange', () => {
  if (location.hash.startsWith('#hpc_')) setToken(takeToken() ?? '');
});

/** Moves the token from the fragment into the storage of the tab. */
function takeToken(): string | null {
  if (location.hash.startsWith('#hpc_')) {
    sessionStorage.setItem(KEY, location.hash.slice(1));
    sessionStorage.removeItem(VERDICT_KEY);
    history.replaceState(null, '', location.pathname + location.search);
  }
  return sessionStorage.getItem(KEY);
}
