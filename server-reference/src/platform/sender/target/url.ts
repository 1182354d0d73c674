import { isIP } from 'node:net';

import { addressRefusal, ownPortRefusal, toOwnPort } from './address.ts';

/** What the parser of URLs takes away or escapes without a word, U+FEFF among the blanks. */
const BLANK_OR_CONTROL = /[\s\p{Cc}]/u;
const LOCALHOST = /(^|\.)localhost\.?$/;

/**
 * Says what is wrong with the URL of an endpoint, or null when events may be sent there. Names other
 * than `localhost` are judged when they are resolved, for each connection.
 *
 * @param ownPorts - where the server itself listens
 */
export function targetUrlProblem(text: string, ownPorts: ReadonlySet<number>): string | null {
  const blank = BLANK_OR_CONTROL.exec(text);
  if (blank !== null) return blankProblem(blank);
  if (!URL.canParse(text)) return 'must be an absolute URL';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must begin with http or https';
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password';
  if (url.hash !== '') return 'must not carry a fragment';
  const [host, port] = [bareHost(url), portOf(url)];
  if (isIP(host) !== 0) return addressRefusal(host) ?? ownPortRefusal(host, port, ownPorts);
  const own = LOCALHOST.test(host) && ownPorts.has(port);
  return own ? toOwnPort(`${host} port ${port}`) : null;
}

function blankProblem({ 0: found, index }: RegExpExecArray): string {
  const codePoint = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `must not have blanks or control characters, but has U+${codePoint} at index ${index}; in a path or query they are escaped, as in %20`;
}

/** The host without the brackets that a URL puts around IPv6. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** The port, also where the scheme implies it. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}
