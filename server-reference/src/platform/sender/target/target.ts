import { lookup } from 'node:dns';
import { request as beginRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { connect as connectTcp, isIP } from 'node:net';
import type { LookupFunction, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { addressRefusal, ownPortRefusal } from './address.ts';
import { guardLookup } from './guarded-lookup.ts';
import { bareHost, portOf } from './url.ts';

/** Bounds the cache of parsed URLs. */
const MAX_URLS = 10_000;
/** Shorter than the five seconds after which many servers close idle connections. */
const MAX_IDLE_MILLISECONDS = 4_000;

/** Subtracted from the time that an endpoint announces, so that a request does not meet its end. */
const MARGIN_MILLISECONDS = 1_000;

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
  /** Their number is limited by the number of concurrent attempts. */
  readonly #connections: Connections;
  readonly #known = new Map<string, KnownUrl>();

  /**
   * @param ownPorts - the ports that the server itself listens on; may grow
   * @param idleMilliseconds - how long an idle connection is kept, in real time
   */
  constructor(ownPorts: ReadonlySet<number>, idleMilliseconds: number = MAX_IDLE_MILLISECONDS) {
    this.#ownPorts = ownPorts;
    this.#connections = new Connections(idleMilliseconds);
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
  }

  #parse(text: string): KnownUrl {
    const url = new URL(text);
    const [host, port] = [bareHost(url), portOf(url)];
    const ownPorts = this.#ownPorts;
    const portRefusal = (address: string): string | null =>
      ownPorts.has(port) ? ownPortRefusal(address, port, ownPorts) : null;
    const refusalOf = (address: string): string | null =>
      addressRefusal(address) ?? portRefusal(address);
    const endpoint = { host, port, lookup: guardLookup(lookup, refusalOf) };
    const connect =
      url.protocol === 'https:' ? () => connectSecurely(endpoint) : () => connectPlainly(endpoint);
    const { origin } = url;
    const path = url.pathname + url.search;
    const begin: KnownUrl['reachable']['begin'] = (headers) => {
      const socket = this.#connections.take(origin, connect);
      const options = { method: 'POST', host, port, path, headers: flat(url.host, headers) };
      const request = beginRequest({ ...options, createConnection: () => socket });
      this.#connections.keepAfter(request, origin, socket);
      return request;
    };
    const reachable = { kind: 'reachable', origin, begin } as const;
    // Node calls the guarded lookup only for names, so an IP address is checked here.
    if (isIP(host) === 0) return { refusal: () => null, reachable };
    const refusal = addressRefusal(host);
    return { refusal: () => refusal ?? portRefusal(host), reachable };
  }
}

interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly lookup: LookupFunction;
}

function connectPlainly(endpoint: Endpoint): Socket {
  return connectTcp({ ...endpoint, noDelay: true });
}

/** A server name must not be an IP address. */
function connectSecurely(endpoint: Endpoint): Socket {
  const servername = isIP(endpoint.host) === 0 ? endpoint.host : '';
  const socket = connectTls({ ...endpoint, servername, ALPNProtocols: ['http/1.1'] });
  return socket.setNoDelay();
}

function flat(host: string, headers: Readonly<Record<string, string>>): string[] {
  const lines = ['host', host];
  for (const name in headers) lines.push(name, headers[name] ?? '');
  lines.push('connection', 'keep-alive');
  return lines;
}

/**
 * The keep-alive connections to all origins, each for one request at a time. An `Agent` of Node does the same, but
 * takes a third of the time of a request.
 */
class Connections {
  readonly #maxIdleMilliseconds: number;
  readonly #open = new Set<Socket>();
  /** By origin. The last one was used last. */
  readonly #idle = new Map<string, Socket[]>();

  /** @param maxIdleMilliseconds - how long an idle connection is kept, in real time */
  constructor(maxIdleMilliseconds: number) {
    this.#maxIdleMilliseconds = maxIdleMilliseconds;
  }

  /** Returns an idle connection to an origin, or opens one. */
  take(origin: string, connect: () => Socket): Socket {
    const idle = this.#idle.get(origin) ?? [];
    while (idle.length > 0) {
      const last = idle.pop();
      // One that ends is not writable before its `close` event.
      if (last?.writable === true) return last;
    }
    return this.#add(origin, connect());
  }

  /** Keeps the connection of a request when the request is over. Call it when the request has begun. */
  keepAfter(request: ClientRequest, origin: string, socket: Socket): void {
    let response: IncomingMessage | undefined;
    // Otherwise Node closes a connection that it does not have from an agent.
    request.shouldKeepAlive = true;
    request.on('response', (incoming) => (response = incoming));
    request.on('close', () => {
      if (socket.writable) this.#keep(origin, socket, this.#idleMilliseconds(response));
    });
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #add(origin: string, socket: Socket): Socket {
    this.#open.add(socket);
    socket.setTimeout(this.#maxIdleMilliseconds);
    socket.on('timeout', () => {
      if (this.#idle.get(origin)?.includes(socket) === true) socket.destroy();
    });
    // A request listens for the errors of its connection too.
    socket.on('error', () => {});
    socket.on('close', () => this.#remove(origin, socket));
    return socket;
  }

  #keep(origin: string, socket: Socket, idleMilliseconds: number): void {
    if (idleMilliseconds <= 0) {
      socket.destroy();
      return;
    }
    if (socket.timeout !== idleMilliseconds) socket.setTimeout(idleMilliseconds);
    const idle = this.#idle.get(origin);
    if (idle === undefined) this.#idle.set(origin, [socket]);
    else idle.push(socket);
  }

  #remove(origin: string, socket: Socket): void {
    this.#open.delete(socket);
    const others = this.#idle.get(origin)?.filter((one) => one !== socket) ?? [];
    if (others.length === 0) this.#idle.delete(origin);
    else this.#idle.set(origin, others);
  }

  #idleMilliseconds(response: IncomingMessage | undefined): number {
    const announced = /^timeout=(\d+)/.exec(String(response?.headers['keep-alive']))?.[1];
    if (announced === undefined) return this.#maxIdleMilliseconds;
    return Math.min(this.#maxIdleMilliseconds, Number(announced) * 1_000 - MARGIN_MILLISECONDS);
  }
}
