import { lookup } from 'node:dns';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';

import { addressRefusal, ownPortRefusal, toOwnPort } from './address.ts';

/** The error code of an attempt whose target is refused. */
export const TARGET_REFUSED = 'target_refused';

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
  if (LOCALHOST.test(host) && ownPorts.has(port)) return toOwnPort(`${host} port ${port}`);
  return literalRefusal(url, ownPorts);
}

function blankProblem({ 0: found, index }: RegExpExecArray): string {
  const codePoint = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `must not contain whitespace or control characters, got U+${codePoint} at index ${index}; percent-encode it, such as %20`;
}

/**
 * Returns why no event is sent to the IP address in a URL, or null; null also for a host name. Node looks up only
 * names, so the guarded lookup never sees such an address.
 */
export function literalRefusal(url: URL, ownPorts: ReadonlySet<number>): string | null {
  const host = bareHost(url);
  return isIP(host) === 0 ? null : refusalOf(host, portOf(url), ownPorts);
}

/**
 * Returns the lookup for the connections to a URL. It refuses a host name if any of its addresses is refused. The
 * connection uses the checked addresses, so a second lookup cannot return others (DNS rebinding).
 *
 * @param resolve - default `lookup` of `node:dns`
 */
export function guardedLookup(
  url: URL,
  ownPorts: ReadonlySet<number>,
  resolve: typeof lookup = lookup,
): LookupFunction {
  return function guarded(hostname, options, callback) {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const [first] = addresses;
      if (first === undefined) return callback(refused(hostname, 'has no address'), '');
      for (const { address } of addresses) {
        const reason = refusalOf(address, portOf(url), ownPorts);
        if (reason !== null) return callback(refused(hostname, reason), '');
      }
      if (options.all === true) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

function refusalOf(address: string, port: number, ownPorts: ReadonlySet<number>): string | null {
  return addressRefusal(address) ?? ownPortRefusal(address, port, ownPorts);
}

function refused(hostname: string, reason: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} ${reason}`), { code: TARGET_REFUSED });
}

/** Returns the host, without the brackets around an IPv6 address. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Returns the port, including the default port of the scheme. */
function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}
