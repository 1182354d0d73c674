import { lookup } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { ClientRequest, RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';

import { guardLookup } from './guarded-lookup.ts';
import { addressRefusal, ownPortRefusal } from './target-address.ts';
import { bareHost, portOf } from './target-url.ts';

/** More URLs than a server has endpoints; then they are read once more. */
const MOST_URLS = 10_000;

/** Where a URL leads. */
export type Target =
  | { readonly kind: 'refused'; readonly detail: string }
  | {
      readonly kind: 'reachable';
      /** Begins a POST; its body is for the caller to send. */
      begin(headers: Readonly<Record<string, string>>): ClientRequest;
    };

/** A URL that was read once, and is judged for each POST: the ports of the server may come later. */
interface KnownUrl {
  refusal(): string | null;
  readonly reachable: Extract<Target, { kind: 'reachable' }>;
}

/** The URLs that were read so far, and their kept-alive connections. */
export interface Targets {
  of(url: string): Target;
  /** Closes the idle connections. */
  close(): void;
}

/** @param ownPorts - where the server itself listens; may grow */
export function createTargets(ownPorts: ReadonlySet<number>): Targets {
  const keeping = { keepAlive: true };
  const httpAgent = new HttpAgent(keeping);
  const httpsAgent = new HttpsAgent(keeping);
  const known = new Map<string, KnownUrl>();

  function read(text: string): KnownUrl {
    const url = new URL(text);
    const [host, port] = [bareHost(url), portOf(url)];
    const refusalOf = (address: string): string | null =>
      addressRefusal(address) ?? ownPortRefusal(address, port, ownPorts);
    const options: RequestOptions = {
      method: 'POST',
      hostname: host,
      port,
      path: url.pathname + url.search,
      lookup: guardLookup(lookup, refusalOf),
    };
    const begin: KnownUrl['reachable']['begin'] =
      url.protocol === 'https:'
        ? (headers) =>
            httpsRequest({ ...options, agent: httpsAgent, headers: flat(url.host, headers) })
        : (headers) =>
            httpRequest({ ...options, agent: httpAgent, headers: flat(url.host, headers) });
    const reachable = { kind: 'reachable', begin } as const;
    // Node looks no IP address up, so that the lookup above is asked for names alone.
    if (isIP(host) === 0) return { refusal: () => null, reachable };
    const refusal = addressRefusal(host);
    return { refusal: () => refusal ?? ownPortRefusal(host, port, ownPorts), reachable };
  }

  return {
    of(text) {
      const url = known.get(text) ?? read(text);
      if (known.size >= MOST_URLS && !known.has(text)) known.clear();
      known.set(text, url);
      const refusal = url.refusal();
      return refusal === null ? url.reachable : { kind: 'refused', detail: `the URL ${refusal}` };
    },
    close() {
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
}

function flat(host: string, headers: Readonly<Record<string, string>>): string[] {
  const lines = ['host', host];
  for (const name in headers) lines.push(name, headers[name] ?? '');
  return lines;
}
