import { lookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { Agent as TlsAgent, request as requestHttps } from 'node:https';
import { connect, isIP } from 'node:net';
import type { LookupFunction, Socket } from 'node:net';

import { addressRefusal, ownPortRefusal } from './address.ts';
import { guardLookup } from './guarded-lookup.ts';
import { bareHost, portOf } from './url.ts';

/** Bounds the cache of parsed URLs. */
const MAX_URLS = 10_000;
/** Shorter than the five seconds after which many servers close idle connections. */
const MAX_IDLE_MILLISECONDS = 4_000;
/** A server that announces when it closes an idle connection closes it no earlier than this before. */
const HINT_MARGIN_MILLISECONDS = 1_000;

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
  readonly reachable: Reachable;
}

type Reachable = Extract<Target, { kind: 'reachable' }>;

/** The URLs that events are sent to, and their keep-alive connections. */
export class Targets {
  readonly #ownPorts: ReadonlySet<number>;
  readonly #connections: KeptConnections;
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
    this.#connections = new KeptConnections(idleMilliseconds);
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
    this.#connections.close();
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
    const begin = this.#begin(url, { host, port, lookup: guardLookup(lookup, refusalOf) });
    const reachable = { kind: 'reachable', origin: url.origin, begin } as const;
    // Node calls the guarded lookup only for names, so an IP address is checked here.
    if (isIP(host) === 0) return { refusal: () => null, reachable };
    const refusal = addressRefusal(host);
    return { refusal: () => refusal ?? portRefusal(host), reachable };
  }

  #begin(url: URL, at: ConnectionTarget): Reachable['begin'] {
    const options: RequestOptions = { method: 'POST', path: url.pathname + url.search };
    if (url.protocol !== 'https:') {
      return (headers) =>
        this.#connections.begin(at, { ...options, headers: flat(url.host, headers) });
    }
    const agent = this.#tlsAgent;
    return (headers) =>
      requestHttps({ ...options, ...at, agent, headers: flat(url.host, headers) });
  }
}

function flat(host: string, headers: Readonly<Record<string, string>>): string[] {
  const lines = ['host', host];
  for (const name in headers) lines.push(name, headers[name] ?? '');
  lines.push('Connection', 'keep-alive');
  return lines;
}

/** Where a request goes. */
interface ConnectionTarget {
  readonly host: string;
  readonly port: number;
  readonly lookup: LookupFunction;
}

/**
 * Connections that are kept after a request, for the next one to the same host and port. The number is not
 * limited. Node's agent does the same and takes more processor time than the rest of an attempt.
 */
class KeptConnections {
  readonly #idleMilliseconds: number;
  readonly #open = new Set<Socket>();
  /** By host and port; the last one is used first, so that the others can end. */
  readonly #idle = new Map<string, Socket[]>();

  /** @param idleMilliseconds - how long an idle connection is kept, in real time */
  constructor(idleMilliseconds: number) {
    this.#idleMilliseconds = idleMilliseconds;
  }

  /** Begins a request. Its headers must contain `connection: keep-alive`. */
  begin(target: ConnectionTarget, options: RequestOptions): ClientRequest {
    const place = `${target.host} ${target.port}`;
    let socket: Socket | undefined;
    let idleMilliseconds = this.#idleMilliseconds;
    const request = requestHttp({
      ...options,
      host: target.host,
      port: target.port,
      createConnection: () => (socket = this.#take(place) ?? this.#connect(place, target)),
    });
    // Without an agent, Node closes the connection whatever the header says.
    request.shouldKeepAlive = true;
    request.on('response', (response) => {
      idleMilliseconds = Math.min(idleMilliseconds, announcedMilliseconds(response));
    });
    // Without an error, Node closes the request and leaves the connection open.
    request.on('close', () => {
      if (socket !== undefined) this.#keep(place, socket, idleMilliseconds);
    });
    return request;
  }

  /** Closes all connections. */
  close(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #connect(place: string, target: ConnectionTarget): Socket {
    const socket = connect({ ...target, noDelay: true });
    this.#open.add(socket);
    socket.on('error', ignore);
    socket.on('close', () => {
      this.#open.delete(socket);
      this.#removeIdle(place, socket);
    });
    socket.on('timeout', () => {
      if (this.#idle.get(place)?.includes(socket) === true) socket.destroy();
    });
    return socket;
  }

  #take(place: string): Socket | undefined {
    const idle = this.#idle.get(place);
    for (let socket = idle?.pop(); socket !== undefined; socket = idle?.pop()) {
      if (idle?.length === 0) this.#idle.delete(place);
      if (isUsable(socket)) return socket;
      socket.destroy();
    }
    return undefined;
  }

  #keep(place: string, socket: Socket, idleMilliseconds: number): void {
    if (idleMilliseconds <= 0 || !isUsable(socket)) {
      socket.destroy();
      return;
    }
    // Each byte restarts the timeout, so it is set only when it changes.
    if (socket.timeout !== idleMilliseconds) socket.setTimeout(idleMilliseconds);
    const idle = this.#idle.get(place);
    if (idle === undefined) this.#idle.set(place, [socket]);
    else idle.push(socket);
  }

  #removeIdle(place: string, socket: Socket): void {
    const idle = this.#idle.get(place);
    const index = idle?.indexOf(socket) ?? -1;
    if (index >= 0) idle?.splice(index, 1);
    if (idle?.length === 0) this.#idle.delete(place);
  }
}

/** False for a connection that the other side has ended, or that is not open. */
function isUsable(socket: Socket): boolean {
  return !socket.destroyed && socket.readable && socket.writable && !socket.connecting;
}

/** The error of a connection in use is that of its request. */
function ignore(): void {}

/** Returns how long the server keeps the idle connection open, by its response. */
function announcedMilliseconds({ rawHeaders }: IncomingMessage): number {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== 'keep-alive') continue;
    const seconds = /^timeout=(\d+)/.exec(rawHeaders[index + 1] ?? '')?.[1];
    if (seconds !== undefined) return Number(seconds) * 1_000 - HINT_MARGIN_MILLISECONDS;
  }
  return Infinity;
}
