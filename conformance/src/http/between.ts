import type { Incoming, Outgoing } from './message.ts';

/** Passes a request on and resolves with its response. Rejects when the connection fails. */
export type Next = (request: Outgoing) => Promise<Incoming>;

/** Stands between two parties: passes the request on never, once or several times, changed or not. */
export type Between = (request: Outgoing, next: Next) => Promise<Incoming>;

/** What stands between the suite and its target, by the way that an exchange takes. */
export interface Hooks {
  /** Requests of the suite to the API. */
  readonly api?: Between;
  /** Requests of the suite to URLs that the API redirected to. */
  readonly storage?: Between;
  /** Requests of the suite to the control interface. */
  readonly control?: Between;
  /** Requests of the suite to the receiver and to its observer URL. */
  readonly receiver?: Between;
  /** Deliveries of the target to the suite. The response goes back to the target's sender. */
  readonly delivery?: Between;
}

const CHANNELS = ['api', 'storage', 'control', 'receiver', 'delivery'] as const;

/** Several hooks as one. The first is the one nearest to the suite. */
export function chain(all: readonly Hooks[]): Hooks {
  const chained: { -readonly [Channel in keyof Hooks]: Hooks[Channel] } = {};
  for (const channel of CHANNELS) {
    const layers = all.flatMap((hooks) => hooks[channel] ?? []);
    // A delivery comes from the target, so that the target's side sees it first.
    const ordered = channel === 'delivery' ? layers.toReversed() : layers;
    if (ordered.length > 0) chained[channel] = chainOf(ordered);
  }
  return chained;
}

function chainOf(layers: readonly Between[]): Between {
  return (request, next) =>
    layers.reduceRight<Next>((inner, layer) => (passed) => layer(passed, inner), next)(request);
}
