import { isUtf8 } from 'node:buffer';

import type { AttemptDetail, AttemptRequest } from '@hookproof/spec/control';

import type { DeliveryAttemptRecord, DeliveryRecord } from '../../store/deliveries.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { explainAttempt } from './explain-attempt.ts';
import { headerPairs } from './header-pairs.ts';
import type { RequestContent, SentRequest } from './sent-requests.ts';

/** Returns an attempt as the control interface shows it: both sides, what a fault changed, and why it ended so. */
export function attemptDetail(
  delivery: DeepReadonly<DeliveryRecord>,
  attempt: DeepReadonly<DeliveryAttemptRecord>,
  kept: SentRequest | null,
  currentSecret: string | undefined,
): Omit<AttemptDetail, 'attempt'> & { attempt: DeepReadonly<DeliveryAttemptRecord> } {
  const { id: deliveryId, eventId, endpointId } = delivery;
  const explanation = explainAttempt({ attempt, delivery, sent: kept, currentSecret });
  const identity = { deliveryId, eventId, endpointId, attempt };
  if (kept === null) {
    const unknown = { sent: null, original: null, differs: [], responseHeaders: null };
    return { ...identity, ...unknown, explanation };
  }
  const { url, original, sent, responseHeaders } = kept;
  const differs = differences(original, sent);
  return {
    ...identity,
    sent: requestView(url, sent),
    original: differs.length === 0 ? null : requestView(url, original),
    differs,
    responseHeaders: responseHeaders === null ? null : headerPairs(responseHeaders),
    explanation,
  };
}

/** Returns what differs: `body` and lower-case names of headers, in alphabetical order. */
function differences(original: RequestContent, sent: RequestContent): string[] {
  const before = byName(original.headers);
  const after = byName(sent.headers);
  const names = new Set([...before.keys(), ...after.keys()]);
  const differing = [...names].filter((name) => before.get(name) !== after.get(name));
  if (!original.body.equals(sent.body)) differing.push('body');
  return differing.toSorted();
}

function byName(headers: RequestContent['headers']): ReadonlyMap<string, string> {
  return new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function requestView(url: string, { headers, body }: RequestContent): AttemptRequest {
  const shown = isUtf8(body) ? { body: body.toString() } : { bodyBase64: body.toString('base64') };
  return { url, headers: Object.entries(headers), ...shown };
}
