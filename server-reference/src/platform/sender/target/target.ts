import { lookup } from 'node:dns';
import { validateHeaderName, validateHeaderValue } from 'node:http';
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
      /** Returns a connection that no other POST uses. */
      connect(): Connection;
      /** Returns the head of a POST. It has Latin-1 characters only. */
      head(headers: Readonly<Record<string, string>>): string;
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
    const reachable: KnownUrl['reachable'] = {
      kind: 'reachable',
      origin,
      connect: () => this.#connections.take(origin, connect),
      head: (headers) => requestHead(path, url.host, headers),
    };
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

function requestHead(
  path: string,
  host: string,
  headers: Readonly<Record<string, string>>,
): string {
  let head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\n`;
  for (const name in headers) {
    const value = headers[name] ?? '';
    validateHeaderName(name);
    validateHeaderValue(name, value);
    head += `${name}: ${value}\r\n`;
  }
  return `${head}connection: keep-alive\r\n\r\n`;
}

/** The keep-alive connections to all origins. */
class Connections {
  readonly #maxIdleMilliseconds: number;
  readonly #open = new Set<Connection>();
  /** By origin. The last one was used last. */
  readonly #idle = new Map<string, Connection[]>();

  /** @param maxIdleMilliseconds - how long an idle connection is kept, in real time */
  constructor(maxIdleMilliseconds: number) {
    this.#maxIdleMilliseconds = maxIdleMilliseconds;
  }

  /** Returns an idle connection to an origin, or opens one. */
  take(origin: string, connect: () => Socket): Connection {
    const idle = this.#idle.get(origin) ?? [];
    while (idle.length > 0) {
      const last = idle.pop();
      // One that ends is not writable before its `close` event.
      if (last?.socket.writable === true) return last;
    }
    const connection = new Connection(connect(), this.#maxIdleMilliseconds, {
      kept: () => this.#keep(origin, connection),
      closed: () => this.#remove(origin, connection),
    });
    this.#open.add(connection);
    return connection;
  }

  close(): void {
    for (const connection of this.#open) connection.close();
  }

  #keep(origin: string, connection: Connection): void {
    const idle = this.#idle.get(origin);
    if (idle === undefined) this.#idle.set(origin, [connection]);
    else idle.push(connection);
  }

  #remove(origin: string, connection: Connection): void {
    this.#open.delete(connection);
    const others = this.#idle.get(origin)?.filter((one) => one !== connection) ?? [];
    if (others.length === 0) this.#idle.delete(origin);
    else this.#idle.set(origin, others);
  }
}

/** What reads from a connection. */
export interface ConnectionUser {
  received(bytes: Buffer): void;
  /** Called once when the connection has ended, or failed with an error. */
  ended(error: Error | null): void;
}

/** A connection for one POST at a time. */
export class Connection {
  readonly socket: Socket;
  readonly #maxIdleMilliseconds: number;
  readonly #kept: () => void;
  #user: ConnectionUser | null = null;

  constructor(
    socket: Socket,
    maxIdleMilliseconds: number,
    { kept, closed }: { readonly kept: () => void; readonly closed: () => void },
  ) {
    this.socket = socket;
    this.#maxIdleMilliseconds = maxIdleMilliseconds;
    this.#kept = kept;
    socket.setTimeout(maxIdleMilliseconds);
    socket.on('timeout', () => {
      if (this.#user === null) socket.destroy();
    });
    socket.on('data', (bytes: Buffer) => {
      if (this.#user === null) socket.destroy();
      else this.#user.received(bytes);
    });
    socket.on('error', (error) => this.#end(error));
    socket.on('end', () => this.#end(null));
    socket.on('close', () => {
      this.#end(null);
      closed();
    });
  }

  use(user: ConnectionUser): void {
    this.#user = user;
  }

  /**
   * Keeps the connection for the next POST, unless it is closing.
   *
   * @param announced - the `Keep-Alive` header of the last response
   */
  keep(announced: string | undefined): void {
    this.#user = null;
    const { socket } = this;
    const seconds = /^timeout=(\d+)/.exec(announced ?? '')?.[1];
    const announcedMilliseconds =
      seconds === undefined ? Infinity : Number(seconds) * 1_000 - MARGIN_MILLISECONDS;
    const milliseconds = Math.min(this.#maxIdleMilliseconds, announcedMilliseconds);
    if (milliseconds <= 0 || !socket.writable || socket.writableLength > 0) {
      socket.destroy();
      return;
    }
    if (socket.timeout !== milliseconds) socket.setTimeout(milliseconds);
    this.#kept();
  }

  /** Closes the connection. Its user gets no further call. */
  close(): void {
    this.#user = null;
    this.socket.destroy();
  }

  #end(error: Error | null): void {
    const user = this.#user;
    this.close();
    user?.ended(error);
  }
}
