import { Agent } from 'undici';

import type { Access } from '../check-kit/check.ts';
import { CouldNotRun } from '../verdict/findings.ts';
import type { MonotonicClock } from './clock.ts';
import { refusalOf } from './gate-rules.ts';
import type { Channel, GateRules } from './gate-rules.ts';
import type { Pacer } from './pacer.ts';
import { redirectTarget } from './redirect-target.ts';
import { transport } from './transport.ts';
import type { Incoming, Outgoing } from './transport.ts';

/** What has gone out so far. */
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

/** A request that the plan of the run does not allow; an error of the suite, never a finding about the target. */
export class GateRefusal extends Error {
  override readonly name = 'GateRefusal';
  readonly code = 'gate_refused';
}

/** The way out for one attempt of one check. */
export interface GateSession {
  send(channel: Channel, outgoing: Outgoing): Promise<Incoming>;
  /** Refused requests of this session, in words. A check that swallowed a refusal is still an error. */
  readonly refusals: readonly string[];
  /** Milliseconds that this session spent waiting for its turn; not the target's fault, nor the check's. */
  readonly waitedMilliseconds: number;
  readonly signal: AbortSignal;
  close(): Promise<void>;
}

/** The only way from the suite to the wire. */
export interface Gate {
  readonly wire: Readonly<Wire>;
  /** Everyone who wants to reach the API waits for so long. */
  pause(milliseconds: number): void;
  session(options: {
    readonly access: Access;
    readonly signal: AbortSignal;
    /** Own connections instead of the shared ones. */
    readonly fresh: boolean;
  }): GateSession;
  close(): Promise<void>;
}

/** `maxRequests` bounds the requests to the API and its storage; null for no bound. The control interface has no pace. */
export function createGate(
  rules: GateRules,
  maxRequests: number | null,
  pacers: Readonly<Record<'api' | 'receiver', Pacer>>,
  clock: MonotonicClock,
): Gate {
  const shared = new Agent();
  const wire: Wire = { requests: 0, writes: 0, deliveries: 0, controlRequests: 0, bytesSent: 0 };
  const redirects = new Set<string>();

  return {
    wire,
    pause: (milliseconds) => pacers.api.pause(milliseconds),
    session({ access, signal, fresh }) {
      const dispatcher = fresh ? new Agent() : shared;
      const refusals: string[] = [];
      const waiting = stopwatch(clock);
      return {
        refusals,
        signal,
        get waitedMilliseconds() {
          return waiting.milliseconds();
        },
        async send(channel, outgoing) {
          const refusal = refusalOf({ channel, access, ...outgoing }, rules, redirects);
          if (refusal !== null) {
            refusals.push(refusal);
            throw new GateRefusal(`refused before the wire: ${refusal}`);
          }
          const toTarget = channel === 'api' || channel === 'storage';
          if (toTarget && maxRequests !== null && wire.requests >= maxRequests) {
            throw new CouldNotRun(
              `the budget of ${maxRequests} requests is spent`,
              `run a part with --only, or set maxRequests above ${maxRequests}`,
            );
          }
          count(wire, channel, outgoing);
          if (channel !== 'control') {
            waiting.start();
            const pacer = pacers[toTarget ? 'api' : 'receiver'];
            await pacer.turn(signal).finally(() => waiting.stop());
          }
          const incoming = await transport(outgoing, dispatcher, signal);
          const target = channel === 'api' ? redirectTarget(outgoing.url, incoming) : null;
          if (target !== null) redirects.add(target);
          return incoming;
        },
        close: () => (fresh ? dispatcher.destroy() : Promise.resolve()),
      };
    },
    close: () => shared.destroy(),
  };
}

/** Adds up the time during which at least one request of a session was waiting. */
function stopwatch(clock: MonotonicClock): { start(): void; stop(): void; milliseconds(): number } {
  let total = 0;
  let active = 0;
  let since = 0;
  return {
    start() {
      if (active === 0) since = clock.now();
      active += 1;
    },
    stop() {
      active -= 1;
      if (active === 0) total += clock.now() - since;
    },
    milliseconds: () => (active === 0 ? total : total + clock.now() - since),
  };
}

function count(wire: Wire, channel: Channel, { method, body }: Outgoing): void {
  if (channel === 'api' || channel === 'storage') wire.requests += 1;
  if (channel === 'api' && method !== 'GET' && method !== 'HEAD') wire.writes += 1;
  if (channel === 'receiver') wire.deliveries += 1;
  if (channel === 'control') wire.controlRequests += 1;
  wire.bytesSent += body?.byteLength ?? 0;
}
