import { isIP } from 'node:net';

import { isRefusedAddress } from './target-address.ts';

/** Says what is wrong with the URL of an endpoint, or null when events may be sent there. */
export function targetUrlProblem(text: string): string | null {
  if (!URL.canParse(text)) return 'must be an absolute URL';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must begin with http or https';
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password';
  if (url.hash !== '') return 'must not carry a fragment';
  if (isRefusedHost(url)) return 'names a link-local or metadata address, where no event is sent';
  return null;
}

/** The host as an IP literal that is refused; names are judged when they are resolved. */
export function isRefusedHost(url: URL): boolean {
  const host = bareHost(url);
  return isIP(host) !== 0 && isRefusedAddress(host);
}

/** The host without the brackets that a URL puts around IPv6. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}
