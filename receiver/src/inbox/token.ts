/**
 * The token is in a cookie that only this page's address gets back, and in the page, which sends it
 * with each change. A page of another site can do neither: it cannot read the page, and SameSite
 * keeps the cookie from its requests. Nothing is stored, so the page and its changes may meet
 * different processes.
 */
const COOKIE = 'hookproof-inbox';
const HEADER = 'x-hookproof-inbox';
const TOKEN = /^[\da-f-]{36}$/;

/** Returns the token of a browser, or a new one with the cookie that it should keep. */
export function tokenFor(request: Request): {
  readonly token: string;
  readonly cookie: string | null;
} {
  const known = tokenIn(request);
  if (known !== null) return { token: known, cookie: null };
  const token = crypto.randomUUID();
  const secure = request.url.startsWith('https:') ? '; Secure' : '';
  return { token, cookie: `${COOKIE}=${token}; HttpOnly; SameSite=Strict${secure}` };
}

/** Returns whether a change comes from the page that this browser got. */
export function isFromPage(request: Request): boolean {
  // A sibling of the host could set the cookie, but not this header, which browsers write.
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return false;
  // Both come with the request, so the time of the comparison tells its sender nothing new.
  const kept = tokenIn(request);
  return kept !== null && request.headers.get(HEADER) === kept;
}

function tokenIn({ headers }: Request): string | null {
  const cookies = (headers.get('cookie') ?? '').split(/; */);
  const found = cookies.find((cookie) => cookie.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
  return found !== undefined && TOKEN.test(found) ? found : null;
}
