import { EVENT_ID_PREFIX } from '@hookproof/spec';

import { headerValue, isRecord } from '../../http/message.ts';
import type { Incoming, Outgoing } from '../../http/message.ts';
import type { HeaderPair } from '../../http/exchange.ts';
import { keyBytes, matchingKey, signature } from '../../signing/signer.ts';
import { jsonOf } from '../edit.ts';
import type { Arrival } from './verification.ts';

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

/** A request to the receiver that may be a delivery; the observer is read with GET. */
export function isDelivery({ method }: Outgoing): boolean {
  return method === 'POST';
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

/** The delivery with one right header of each kind, signed `offset` seconds from now. */
export function signedAgain(request: Outgoing, key: Uint8Array, offset = 0): Outgoing {
  const { headers, body, now } = arrivalOf(request);
  const id = eventOf(request)?.id ?? headerValue(headers, 'webhook-id') ?? '';
  const known = id.startsWith(EVENT_ID_PREFIX) ? id : `${EVENT_ID_PREFIX}transformed`;
  const timestamp = String(now + offset);
  const others = headers.filter(([name]) => !/^(x-)?webhook-/i.test(name));
  const right: readonly HeaderPair[] = [
    ['webhook-id', known],
    ['webhook-timestamp', timestamp],
    ['webhook-signature', signature(key, { id: known, timestamp, body })],
  ];
  return { ...request, headers: [...others, ...right] };
}

export function isAccepted({ status }: Incoming): boolean {
  return status > 199 && status < 300;
}
