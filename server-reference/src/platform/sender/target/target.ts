import { lookup } from 'node:dns';
import { Agent, request as requestHttp } from 'node:http';
import type { ClientRequest, RequestOptions } from 'node:http';
import { Agent as TlsAgent, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';

import { addressRefusal, ownPortRefusal } from './address.ts';
import { guardLookup } from './guarded-lookup.ts';
import { bareHost, portOf } from './url.ts';

/** Bounds the cache of parsed URLs. */
const MAX_URLS = 10_000;
/** Shorter than the five seconds after which many servers close idle connections. */
const MAX_IDLE_MILLISECONDS = 4_000;

/** The target of a URL. */
export type Target =
  | { readonly kind: 'refused'; readonly detail: string }
  | {
      readonly kind: 'reachable';
      readonly origin: string;
      /** Begins a POST; the caller sends its body. */
      begin(headers: Readonly<Record<string, string>>): ClientRequest;
    };

/** A parsed URL. Its refusal is decided for each POST, since the server may listen on more ports later. */
interface KnownUrl {
  refusal(): string | null;
  readonly reachable: Extract<Target, { kind: 'reachable' }>;
}

/** The URLs that events are sent to, and their keep-alive connections. */
export class Targets {
  readonly #ownPorts: ReadonlySet<number>;
  readonly #agent: Agent;
  readonly #tlsAgent: TlsAgent;
  readonly #known = new Map<string, KnownUrl>();

  /**
   * @param ownPorts - the ports that the server itself listens on; may grow
   * @param idleMilliseconds - how long an idle connection is kept, in real time
   */
  constructor(ownPorts: ReadonlySet<number>, idleMilliseconds: number = MAX_IDLE_MILLISECONDS) {
    // The number of connections is limited by the number of concurrent attempts.
    const options = { keepAlive: true, timeout: idleMilliseconds, maxFreeSockets: Infinity };
    this.#ownPorts = ownPorts;
    this.#agent = new Agent(options);
    this.#tlsAgent = new TlsAgent(options);
  }

  of(text: string): Target {
    if (this.#known.size >= MAX_URLS && !this.#known.has(text)) this.#known.clear();
    const url = this.#known.get(text) ?? this.#parse(text);
    this.#known.set(text, url);
    const refusal = url.refusal();
    return refusal === null ? url.reachable : { kind: 'refused', detail: `the URL ${refusal}` };
  }

  /** Closes the connections. */
  close(): void {
    this.#agent.destroy();
    this.#tlsAgent.destroy();
  }

  #parse(text: string): KnownUrl {
    const url = new URL(text);
    const [host, port] = [bareHost(url), portOf(url)];
    const ownPorts = this.#ownPorts;
    const portRefusal = (address: string): string | null =>
      ownPorts.has(port) ? ownPortRefusal(address, port, ownPorts) : null;
    const refusalOf = (address: string): string | null =>
      addressRefusal(address) ?? portRefusal(address);
    const isTls = url.protocol === 'https:';
    const options: RequestOptions = {
      method: 'POST',
      host,
      port,
      path: url.pathname + url.search,
      agent: isTls ? this.#tlsAgent : this.#agent,
      lookup: guardLookup(lookup, refusalOf),
    };
    const request = isTls ? requestHttps : requestHttp;
    const begin: KnownUrl['reachable']['begin'] = (headers) =>
      request({ ...options, headers: flat(url.host, headers) });
    const reachable = { kind: 'reachable', origin: url.origin, begin } as const;
    // Node calls the guarded lookup only for names, so an IP address is checked here.
    if (isIP(host) === 0) return { refusal: () => null, reachable };
    const refusal = addressRefusal(host);
    return { refusal: () => refusal ?? portRefusal(host), reachable };
  }
}

function flat(host: string, headers: Readonly<Record<string, string>>): string[] {
  const lines = ['host', host];
  for (const name in headers) lines.push(name, headers[name] ?? '');
  return lines;
}
