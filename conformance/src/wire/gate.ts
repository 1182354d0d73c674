import type { Hooks } from '../http/between.ts';
import { redirectTarget } from '../http/message.ts';
import type { Incoming, Outgoing } from '../http/message.ts';
import { CouldNotRun } from '../verdict/findings.ts';
import { openConnections, throughProxy } from './connections.ts';
import type { Connections, Proxies } from './connections.ts';
import { isApiTraffic, refusalOf } from './gate-rules.ts';
import type { Access, Channel, GateRules } from './gate-rules.ts';
import { Stopwatch } from './rate.ts';
import type { MonotonicClock, Pacer, Repeat } from './rate.ts';
import { decoded } from './decode.ts';
import { deliver } from './deliver.ts';
import { Health } from './health.ts';
import { throttled } from './throttled.ts';
import {
  CONTROL_TIMEOUT_MILLISECONDS,
  DEADLINE_MILLISECONDS,
  MAX_JSON_BYTES,
  MAX_RESPONSE_BYTES,
  TIMEOUT_MILLISECONDS,
  transport,
} from './transport.ts';
import type { Limits } from './transport.ts';

/** The content of a file, and the export of a dataset. */
const DOWNLOAD = /\/(?:content|dataset\/export)$/;

/** What the run has sent so far. */
export interface Wire {
  /** Requests to the API under test, and to the storage that it redirects to. */
  requests: number;
  /** Those of them with a method other than GET and HEAD. */
  writes: number;
  /** Requests to the receiver under test. */
  deliveries: number;
  /** Requests to the control interface. */
  controlRequests: number;
  /** Bytes of request bodies, all channels. */
  bytesSent: number;
}

/** The plan of the run does not allow a request: an error of the suite, never a finding about the target. */
class GateRefusal extends Error {
  override readonly name = 'GateRefusal';
  readonly code = 'gate_refused';
}

/** A request with its response. */
export interface Exchange {
  readonly channel: Channel;
  readonly outgoing: Outgoing;
  readonly incoming: Incoming;
}

/** The way out for one attempt of one check. */
export interface GateSession {
  /** `repeat`: null or missing for a request that is sent for the first time. */
  send(channel: Channel, outgoing: Outgoing, repeat?: Repeat | null): Promise<Incoming>;
  /** Reasons of refused requests. They make the check an error of the suite even if it swallows the refusal. */
  readonly refusals: readonly string[];
  /** What it has sent requests to. */
  readonly used: ReadonlySet<Channel>;
  /**
   * Milliseconds that this session waited for its turn, or for responses of the target, which may be slow. They do not
   * count against the time of a check.
   */
  readonly waitedMilliseconds: number;
  /** Waits, for an effect that takes a moment. That does not count either. */
  wait(milliseconds: number): Promise<void>;
  readonly signal: AbortSignal;
  close(): Promise<void>;
}

/** The only way from the suite to the wire. */
export interface Gate {
  readonly wire: Readonly<Wire>;
  /** How the targets respond. */
  readonly health: Health;
  /** Delays every request to the API, or to the receiver. */
  pause(milliseconds: number, side?: 'api' | 'receiver'): void;
  session(options: {
    readonly access: Access;
    readonly signal: AbortSignal;
    /** Whether to use new connections instead of the shared ones. */
    readonly fresh: boolean;
    /** Whether its requests are left out of the maximum: what was changed is always put back. Default false. */
    readonly unlimited?: boolean;
    /** Whose requests these are, for reports: the id of a check. Default: the run's own. */
    readonly by?: string;
    /** Gets every exchange with a complete response. */
    readonly onExchange?: (exchange: Exchange) => void;
  }): GateSession;
  close(): Promise<void>;
}

/** What a gate is made of, besides its rules. */
interface Setting {
  /**
   * Of the requests to the API and its storage; null means unlimited. Repeats after 429, 503 or a lost connection come
   * on top, up to half as many: noise must not take the requests of a check.
   */
  readonly maxRequests: number | null;
  /** How the API, its storage and its control interface are reached. Deliveries never go through a proxy. */
  readonly proxy: Proxies | null;
  /** The control interface has no rate. */
  readonly pacers: Readonly<Record<'api' | 'receiver', Pacer>>;
  readonly clock: MonotonicClock;
  /** They stand between the gate and the wire. */
  readonly hooks: Hooks;
  /** Tells what the run waits for. */
  readonly notice: (text: string) => void;
}

/** Opens the way to the targets of a run. */
export function createGate(
  rules: GateRules,
  { maxRequests, proxy, pacers, clock, hooks, notice }: Setting,
): Gate {
  const wire: Wire = { requests: 0, writes: 0, deliveries: 0, controlRequests: 0, bytesSent: 0 };
  const redirects = new Set<string>();
  const repeats = { sent: 0 };
  const health = new Health(clock, notice);
  const tell = throttled(notice, () => clock.now());
  const shared = openConnections(proxy);
  const counters = { wire, repeats, redirects, health };
  const shares = { rules, maxRequests, proxy, pacers, clock, hooks, isBounded: true, ...counters };
  return {
    wire,
    health,
    pause(milliseconds, side = 'api') {
      pacers[side].pause(milliseconds);
      const seconds = Math.ceil(milliseconds / 1000);
      if (milliseconds >= TOLD_MILLISECONDS) {
        tell(`The ${NAMES[side]} asks to wait: nothing is sent to it for ${seconds} s.`);
      }
    },
    session: ({ unlimited = false, by = 'this run', ...given }) => {
      // What puts changes back must reach the target itself.
      const bounds = unlimited
        ? { ...shares, maxRequests: null, hooks: {}, isBounded: false }
        : shares;
      return new Session(bounds, { by, ...given }, given.fresh ? openConnections(proxy) : shared);
    },
    close: () => shared.destroy(),
  };
}

const NAMES = { api: 'API', receiver: 'receiver' } as const;
/** A shorter wait is not told. */
const TOLD_MILLISECONDS = 1_000;

/** What all sessions of a gate share. */
interface Shares {
  readonly rules: GateRules;
  readonly maxRequests: number | null;
  readonly proxy: Proxies | null;
  readonly pacers: Readonly<Record<'api' | 'receiver', Pacer>>;
  readonly clock: MonotonicClock;
  readonly wire: Wire;
  /** Those of the requests to the API and its storage that repeat another. */
  readonly repeats: { sent: number };
  readonly redirects: Set<string>;
  readonly hooks: Hooks;
  readonly health: Health;
  /** Whether nothing more is sent to a target that hangs. */
  readonly isBounded: boolean;
}

/** What belongs to one session. */
interface Own {
  readonly access: Access;
  readonly signal: AbortSignal;
  readonly by: string;
  /** Whether the connections are its own. */
  readonly fresh: boolean;
  readonly onExchange?: (exchange: Exchange) => void;
}

class Session implements GateSession {
  readonly refusals: string[] = [];
  readonly used = new Set<Channel>();
  readonly signal: AbortSignal;
  readonly #shares: Shares;
  readonly #own: Own;
  readonly #connections: Connections;
  readonly #waiting: Stopwatch;

  constructor(shares: Shares, own: Own, connections: Connections) {
    this.signal = own.signal;
    this.#shares = shares;
    this.#own = own;
    this.#connections = connections;
    this.#waiting = new Stopwatch(shares.clock);
  }

  get waitedMilliseconds(): number {
    return this.#waiting.milliseconds;
  }

  async send(
    channel: Channel,
    outgoing: Outgoing,
    repeat: Repeat | null = null,
  ): Promise<Incoming> {
    const { rules, wire, repeats, redirects, hooks, health, isBounded } = this.#shares;
    const refusal = refusalOf({ channel, access: this.#own.access, ...outgoing }, rules, redirects);
    if (refusal !== null) {
      this.refusals.push(refusal);
      throw new GateRefusal(`refused before sending: ${refusal}`);
    }
    if (isApiTraffic(channel)) {
      if (isBounded) health.requireResponses();
      requireBelowMaximum(this.#shares, repeat);
      if (repeat !== null) repeats.sent += 1;
    }
    this.used.add(channel);
    count(wire, channel, outgoing);
    await this.#turn(channel);
    const pass = async (passed: Outgoing): Promise<Incoming> =>
      channel === 'receiver'
        ? deliver(passed, this.signal)
        : decoded(await this.#transport(channel, passed, repeat?.fresh ?? false));
    const hook = channel === 'listener' ? undefined : hooks[channel];
    const exchange = async (): Promise<Incoming> =>
      hook === undefined ? pass(outgoing) : decoded(await hook(outgoing, pass));
    const request = { outgoing, by: this.#own.by };
    this.#waiting.start();
    const incoming = await health
      .watch(channel, request, this.signal, exchange)
      .finally(() => this.#waiting.stop());
    this.#own.onExchange?.({ channel, outgoing, incoming });
    const target = isApiTraffic(channel) ? redirectTarget(outgoing.url, incoming) : null;
    if (target !== null) redirects.add(target);
    return incoming;
  }

  async wait(milliseconds: number): Promise<void> {
    this.#waiting.start();
    const { clock } = this.#shares;
    await clock.sleep(milliseconds, this.signal).finally(() => this.#waiting.stop());
  }

  close(): Promise<void> {
    return this.#own.fresh ? this.#connections.destroy() : Promise.resolve();
  }

  async #transport(channel: Channel, outgoing: Outgoing, fresh: boolean): Promise<Incoming> {
    const { url } = outgoing;
    const { proxy } = this.#shares;
    const through = throughProxy(proxy, url);
    const limits = { ...limitsOf(channel, url), signal: this.signal, through };
    if (!fresh) return transport(outgoing, this.#connections.to(url), limits);
    const own = openConnections(proxy);
    try {
      return await transport(outgoing, own.to(url), limits);
    } finally {
      await own.destroy();
    }
  }

  async #turn(channel: Channel): Promise<void> {
    if (channel === 'control' || channel === 'listener') return;
    const pacer = this.#shares.pacers[isApiTraffic(channel) ? 'api' : 'receiver'];
    this.#waiting.start();
    await pacer.turn(this.signal).finally(() => this.#waiting.stop());
  }
}

/** Repeats beyond half of the maximum count as other requests do. */
function requireBelowMaximum({ maxRequests, wire, repeats }: Shares, repeat: Repeat | null): void {
  if (maxRequests === null) return;
  const allowed = Math.floor(maxRequests / 2);
  if (repeat !== null && repeats.sent < allowed) return;
  if (wire.requests - Math.min(repeats.sent, allowed) < maxRequests) return;
  throw new CouldNotRun(
    `the run has sent its maximum of ${maxRequests} requests`,
    `run a part with --only, or set --max-requests above ${maxRequests}`,
  );
}

function count(wire: Wire, channel: Channel, { method, body }: Outgoing): void {
  if (isApiTraffic(channel)) wire.requests += 1;
  if (channel === 'api' && method !== 'GET' && method !== 'HEAD') wire.writes += 1;
  if (channel === 'receiver') wire.deliveries += 1;
  if (channel === 'control') wire.controlRequests += 1;
  wire.bytesSent += body?.byteLength ?? 0;
}

/** A response of the API is small unless it is a download; a control interface has time. */
function limitsOf(channel: Channel, url: string): Limits {
  if (channel === 'control') {
    return {
      maxBytes: MAX_RESPONSE_BYTES,
      headersTimeout: CONTROL_TIMEOUT_MILLISECONDS,
      deadlineMilliseconds: CONTROL_TIMEOUT_MILLISECONDS,
    };
  }
  const isJson = channel === 'api' && !DOWNLOAD.test(new URL(url).pathname);
  return {
    maxBytes: isJson ? MAX_JSON_BYTES : MAX_RESPONSE_BYTES,
    headersTimeout: TIMEOUT_MILLISECONDS,
    deadlineMilliseconds: DEADLINE_MILLISECONDS,
  };
}
