import { lookup } from 'node:dns';
import { request } from 'node:http';
import type { ClientRequest, RequestOptions } from 'node:http';
import { connect, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { addressRefusal, ownPortRefusal } from './address.ts';
import { guardLookup } from './guarded-lookup.ts';
import { KeepAliveAgent } from './keep-alive-agent.ts';
import { bareHost, portOf } from './url.ts';

/** More URLs than a server has endpoints; then they are read once more. */
const MAX_URLS = 10_000;

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
  /** Closes the connections. */
  close(): void;
}

/** @param ownPorts - where the server itself listens; may grow */
export function createTargets(ownPorts: ReadonlySet<number>): Targets {
  const agents = new Map<string, KeepAliveAgent>();
  const known = new Map<string, KnownUrl>();

  function read(text: string): KnownUrl {
    const url = new URL(text);
    const [host, port] = [bareHost(url), portOf(url)];
    const refusalOf = (address: string): string | null =>
      addressRefusal(address) ?? ownPortRefusal(address, port, ownPorts);
    const place = {
      host,
      port,
      noDelay: true,
      keepAlive: true,
      lookup: guardLookup(lookup, refusalOf),
    };
    const servername = isIP(host) === 0 ? host : '';
    const agent =
      agents.get(url.origin) ??
      new KeepAliveAgent(
        url.protocol === 'https:'
          ? () => connectTls({ ...place, servername })
          : () => connect(place),
      );
    agents.set(url.origin, agent);
    const options: RequestOptions = { method: 'POST', path: url.pathname + url.search, agent };
    const begin: KnownUrl['reachable']['begin'] = (headers) =>
      request({ ...options, headers: flat(url.host, headers) });
    const reachable = { kind: 'reachable', begin } as const;
    // Node looks no IP address up, so that the lookup above is asked for names alone.
    if (isIP(host) === 0) return { refusal: () => null, reachable };
    const refusal = addressRefusal(host);
    return { refusal: () => refusal ?? ownPortRefusal(host, port, ownPorts), reachable };
  }

  function forget(): void {
    known.clear();
    for (const [origin, agent] of agents) if (agent.isUnused()) agents.delete(origin);
  }

  return {
    of(text) {
      if (known.size >= MAX_URLS && !known.has(text)) forget();
      const url = known.get(text) ?? read(text);
      known.set(text, url);
      const refusal = url.refusal();
      return refusal === null ? url.reachable : { kind: 'refused', detail: `the URL ${refusal}` };
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

function flat(host: string, headers: Readonly<Record<string, string>>): string[] {
  const lines = ['host', host];
  for (const name in headers) lines.push(name, headers[name] ?? '');
  return lines;
}
