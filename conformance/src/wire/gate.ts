import { Agent } from 'undici';
import type { Dispatcher } from 'undici';

import { redirectTarget } from '../http/message.ts';
import type { Incoming, Outgoing } from '../http/message.ts';
import { CouldNotRun } from '../verdict/findings.ts';
import { refusalOf } from './gate-rules.ts';
import type { Access, Channel, GateRules } from './gate-rules.ts';
import { Stopwatch } from './rate.ts';
import type { MonotonicClock, Pacer } from './rate.ts';
import { transport } from './transport.ts';

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
export class GateRefusal extends Error {
  override readonly name = 'GateRefusal';
  readonly code = 'gate_refused';
}

/** The way out for one attempt of one check. */
export interface GateSession {
  send(channel: Channel, outgoing: Outgoing): Promise<Incoming>;
  /** Reasons of refused requests. They make the check an error of the suite even if it swallows the refusal. */
  readonly refusals: readonly string[];
  /** Milliseconds that this session waited for its turn. Neither the target nor the check caused them. */
  readonly waitedMilliseconds: number;
  readonly signal: AbortSignal;
  close(): Promise<void>;
}

/** The only way from the suite to the wire. */
export interface Gate {
  readonly wire: Readonly<Wire>;
  /** Delays every request to the API. */
  pause(milliseconds: number): void;
  session(options: {
    readonly access: Access;
    readonly signal: AbortSignal;
    /** Whether to use new connections instead of the shared ones. */
    readonly fresh: boolean;
  }): GateSession;
  close(): Promise<void>;
}

/** `maxRequests` limits the requests to the API and its storage; null means unlimited. The control interface has no rate. */
export function createGate(
  rules: GateRules,
  maxRequests: number | null,
  pacers: Readonly<Record<'api' | 'receiver', Pacer>>,
  clock: MonotonicClock,
): Gate {
  const shared = new Agent();
  const wire: Wire = { requests: 0, writes: 0, deliveries: 0, controlRequests: 0, bytesSent: 0 };
  const shares = { rules, maxRequests, pacers, clock, wire, redirects: new Set<string>() };
  return {
    wire,
    pause: (milliseconds) => pacers.api.pause(milliseconds),
    session: ({ access, signal, fresh }) =>
      new Session(shares, access, signal, fresh ? new Agent() : shared, fresh),
    close: () => shared.destroy(),
  };
}

/** What all sessions of a gate share. */
interface Shares {
  readonly rules: GateRules;
  readonly maxRequests: number | null;
  readonly pacers: Readonly<Record<'api' | 'receiver', Pacer>>;
  readonly clock: MonotonicClock;
  readonly wire: Wire;
  readonly redirects: Set<string>;
}

class Session implements GateSession {
  readonly refusals: string[] = [];
  readonly signal: AbortSignal;
  readonly #shares: Shares;
  readonly #access: Access;
  readonly #dispatcher: Dispatcher;
  readonly #ownsDispatcher: boolean;
  readonly #waiting: Stopwatch;

  constructor(
    shares: Shares,
    access: Access,
    signal: AbortSignal,
    dispatcher: Dispatcher,
    ownsDispatcher: boolean,
  ) {
    this.signal = signal;
    this.#shares = shares;
    this.#access = access;
    this.#dispatcher = dispatcher;
    this.#ownsDispatcher = ownsDispatcher;
    this.#waiting = new Stopwatch(shares.clock);
  }

  get waitedMilliseconds(): number {
    return this.#waiting.milliseconds;
  }

  async send(channel: Channel, outgoing: Outgoing): Promise<Incoming> {
    const { rules, maxRequests, wire, redirects } = this.#shares;
    const refusal = refusalOf({ channel, access: this.#access, ...outgoing }, rules, redirects);
    if (refusal !== null) {
      this.refusals.push(refusal);
      throw new GateRefusal(`refused before sending: ${refusal}`);
    }
    if (isApiTraffic(channel) && maxRequests !== null && wire.requests >= maxRequests) {
      throw new CouldNotRun(
        `the run has sent its maximum of ${maxRequests} requests`,
        `run a part with --only, or set maxRequests above ${maxRequests}`,
      );
    }
    count(wire, channel, outgoing);
    await this.#turn(channel);
    const incoming = await transport(outgoing, this.#dispatcher, this.signal);
    const target = channel === 'api' ? redirectTarget(outgoing.url, incoming) : null;
    if (target !== null) redirects.add(target);
    return incoming;
  }

  close(): Promise<void> {
    return this.#ownsDispatcher ? this.#dispatcher.destroy() : Promise.resolve();
  }

  async #turn(channel: Channel): Promise<void> {
    if (channel === 'control') return;
    const pacer = this.#shares.pacers[isApiTraffic(channel) ? 'api' : 'receiver'];
    this.#waiting.start();
    await pacer.turn(this.signal).finally(() => this.#waiting.stop());
  }
}

function isApiTraffic(channel: Channel): boolean {
  return channel === 'api' || channel === 'storage';
}

function count(wire: Wire, channel: Channel, { method, body }: Outgoing): void {
  if (isApiTraffic(channel)) wire.requests += 1;
  if (channel === 'api' && method !== 'GET' && method !== 'HEAD') wire.writes += 1;
  if (channel === 'receiver') wire.deliveries += 1;
  if (channel === 'control') wire.controlRequests += 1;
  wire.bytesSent += body?.byteLength ?? 0;
}
