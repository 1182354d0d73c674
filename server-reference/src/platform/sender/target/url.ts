import { isIP } from 'node:net';

import { addressRefusal, ownPortRefusal, toOwnPort } from './address.ts';

/** Characters that the URL parser silently removes or escapes. `\s` includes U+FEFF. */
const BLANK_OR_CONTROL = /[\s\p{Cc}]/u;
const LOCALHOST = /(^|\.)localhost\.?$/;

/**
 * Returns the problem with the URL of an endpoint, or null if events may be sent to it. Host names other than
 * `localhost` are checked when they are resolved, for each connection.
 *
 * @param ownPorts - the ports of this server
 */
export function targetUrlProblem(text: string, ownPorts: ReadonlySet<number>): string | null {
  const blank = BLANK_OR_CONTROL.exec(text);
  if (blank !== null) return blankProblem(blank);
  if (!URL.canParse(text)) return 'must be an absolute URL';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return 'must start with http:// or https://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (url.hash !== '') return 'must not contain a fragment';
  const [host, port] = [bareHost(url), portOf(url)];
  if (isIP(host) !== 0) return addressRefusal(host) ?? ownPortRefusal(host, port, ownPorts);
  const own = LOCALHOST.test(host) && ownPorts.has(port);
  return own ? toOwnPort(`${host} port ${port}`) : null;
}

function blankProblem({ 0: found, index }: RegExpExecArray): string {
  const codePoint = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `must not contain whitespace or control characters, got U+${codePoint} at index ${index}; percent-encode it, such as %20`;
}

/** Returns the host, without the brackets around an IPv6 address. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Returns the port, including the default port of the scheme. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}
