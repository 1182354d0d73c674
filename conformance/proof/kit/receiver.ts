import {
  headerValue,
  isRecord,
  keyBytes,
  matchingKey,
  signature,
} from '@hookproof/conformance/hooks';
import type { HeaderPair, Incoming, Outgoing } from '@hookproof/conformance/hooks';
import { EVENT_ID_PREFIX } from '@hookproof/spec';

import type { Open } from './defect.ts';
import type { Knowledge } from './knowledge.ts';
import { jsonOf, respond, withJson } from './message.ts';
import { accepts, RIGHT_STEPS } from './verification.ts';
import type { Arrival, Steps } from './verification.ts';

/** What a delivery says about its event; undefined members where it says nothing. */
export interface EventView {
  readonly id: string;
  readonly type: unknown;
  readonly apiVersion: unknown;
  readonly createdAt: unknown;
  readonly test: boolean;
  readonly previousStatus: unknown;
  readonly run: Readonly<Record<string, unknown>>;
  readonly members: readonly string[];
}

type Maybe<T> = T | null | Promise<T | null>;

/** Responds to deliveries in place of the target. Null leaves a delivery to the target. */
export function onRequest(
  respondTo: (request: Outgoing, event: EventView | null, knowledge: Knowledge) => Maybe<Incoming>,
): Open {
  return (knowledge) => ({
    receiver: async (request, next) => {
      if (!isDelivery(request)) return next(request);
      return (await respondTo(request, eventOf(request), knowledge)) ?? next(request);
    },
  });
}

/** Refuses the deliveries of certain events with 400 or another status, whatever their signature. */
export function refuses(
  isRefused: (event: EventView, request: Outgoing) => boolean,
  status = 400,
): Open {
  return onRequest((request, event) =>
    event !== null && isRefused(event, request) ? respond(status) : null,
  );
}

/** Changes the responses to what the target accepts, or to what it refuses. */
export function onResponse(
  to: 'accepted' | 'refused',
  change: (response: Incoming, request: Outgoing) => Incoming | Promise<Incoming>,
): Open {
  return () => ({
    receiver: async (request, next) => {
      const response = await next(request);
      if (!isDelivery(request) || asksToRepeat(response)) return response;
      return isAccepted(response) === (to === 'accepted') ? change(response, request) : response;
    },
  });
}

/** Such a response refuses nothing: the sender tries again. */
function asksToRepeat({ status }: Incoming): boolean {
  return [408, 425, 429].includes(status) || status >= 500;
}

/** Replaces steps of the verification. The other steps are those of a valid receiver. */
export function verifies(steps: Partial<Steps>): Open {
  const changed = { ...RIGHT_STEPS, ...steps };
  return ({ receiverSecret }) => {
    if (receiverSecret === undefined) return {};
    const keyOf = keyFinder(receiverSecret);
    return {
      receiver: async (request, next) => {
        if (!isDelivery(request)) return next(request);
        const key = keyOf(request);
        const arrival = arrivalOf(request);
        const [before, after] = [RIGHT_STEPS, changed].map((each) => accepts(each, arrival, key));
        if (before === after) return next(request);
        if (after !== true) return respond(401);
        const response = await next(signedAgain(request, key));
        // The target itself may refuse a body that is not an event.
        return isAccepted(response) ? response : respond(200);
      },
    };
  };
}

/** One delivery that the receiver got, in the order of the responses. */
export interface Delivered {
  readonly event: EventView;
  readonly isAccepted: boolean;
  /** Whether another delivery of the same event was in progress. */
  readonly isSimultaneous: boolean;
  /** In milliseconds of a monotonic clock. */
  readonly arrivedAt: number;
}

/** An entry of the observer. */
export type Entry = Readonly<Record<string, unknown>>;

/** What the observer lists in place of what the target's observer lists. */
type Listing = (handled: readonly Entry[], delivered: readonly Delivered[]) => readonly unknown[];

/** Changes the list of the observer: what the receiver has handled. */
export function editHandled(listing: Listing): Open {
  return () => {
    const delivered: Delivered[] = [];
    const inProgress: string[] = [];
    return {
      receiver: async (request, next) => {
        if (!isDelivery(request))
          return relisted(await next(request), (handled) => listing(handled, delivered));
        const event = eventOf(request);
        if (event === null) return next(request);
        const isSimultaneous = inProgress.includes(event.id);
        inProgress.push(event.id);
        const arrivedAt = performance.now();
        try {
          const response = await next(request);
          delivered.push({ event, isAccepted: isAccepted(response), isSimultaneous, arrivedAt });
          return response;
        } finally {
          inProgress.splice(inProgress.indexOf(event.id), 1);
        }
      },
    };
  };
}

function relisted(
  response: Incoming,
  listing: (handled: readonly Entry[]) => readonly unknown[],
): Incoming {
  const json = jsonOf(response);
  const handled = isRecord(json) ? json['handled'] : undefined;
  if (!isRecord(json) || !Array.isArray(handled)) return response;
  return withJson(response, { ...json, handled: listing(handled.filter(isRecord)) });
}

/** The entry of an event. */
export function entryOf({ id, type, run }: EventView): Entry {
  return { id, runId: run['id'], type, status: run['status'] };
}

/** A request to the receiver that may be a delivery; the observer is read with GET. */
export function isDelivery({ method }: Outgoing): boolean {
  return method === 'POST';
}

export function isAccepted({ status }: Incoming): boolean {
  return status > 199 && status < 300;
}

/** The event of a delivery; null when the body has none. */
export function eventOf(request: Outgoing): EventView | null {
  const json = jsonOf(request);
  if (!isRecord(json) || !isRecord(json['data']) || !isRecord(json['data']['run'])) return null;
  const { id, type, apiVersion, createdAt, test, data } = json;
  if (typeof id !== 'string' || !isRecord(data)) return null;
  const run = isRecord(data['run']) ? data['run'] : {};
  const { previousStatus } = data;
  const members = Object.keys(json);
  return { id, type, apiVersion, createdAt, test: test === true, previousStatus, run, members };
}

export function arrivalOf(request: Outgoing): Arrival {
  const { headers, body } = request;
  return { headers, body: body ?? new Uint8Array(), now: Math.floor(Date.now() / 1000) };
}

/** Finds the receiver's key: the first delivery of a run is valid, whatever its secret stands for. */
export function keyFinder(secret: string): (request: Outgoing) => Uint8Array {
  let found: Uint8Array | undefined;
  return ({ headers, body }) => {
    const value = (name: string): string => headerValue(headers, name) ?? '';
    const [id, timestamp] = [value('webhook-id'), value('webhook-timestamp')];
    const message = { id, timestamp, body: body ?? new Uint8Array() };
    found ??= matchingKey(secret, value('webhook-signature'), message);
    return found ?? keyBytes(secret, 'utf8');
  };
}

/** The delivery with one valid header of each kind, signed `offset` seconds from now. */
export function signedAgain(request: Outgoing, key: Uint8Array, offset = 0): Outgoing {
  const { headers, body, now } = arrivalOf(request);
  const id = eventOf(request)?.id ?? headerValue(headers, 'webhook-id') ?? '';
  const known = id.startsWith(EVENT_ID_PREFIX) ? id : `${EVENT_ID_PREFIX}transformed`;
  const timestamp = String(now + offset);
  const others = headers.filter(([name]) => !/^(x-)?webhook-/i.test(name));
  const valid: readonly HeaderPair[] = [
    ['webhook-id', known],
    ['webhook-timestamp', timestamp],
    ['webhook-signature', signature(key, { id: known, timestamp, body })],
  ];
  return { ...request, headers: [...others, ...valid] };
}
