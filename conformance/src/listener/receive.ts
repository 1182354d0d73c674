import type { IncomingMessage } from 'node:http';

import { headerPairs, headerValue, membersOf, parseJson } from '../http/message.ts';
import type { Outgoing } from '../http/message.ts';
import { read } from '../wire/transport.ts';
import type { ReceivedDelivery } from './delivery.ts';

/**
 * Reads a request for the listener at `url` to its end. Its query is the one that was sent: a proxy may have changed the
 * path before it. Throws for a body above 8 MiB.
 */
export async function receive(request: IncomingMessage, url: string): Promise<Outgoing> {
  const headers = headerPairs(request.rawHeaders);
  const sent = `${withoutQuery(url)}${queryOf(request.url ?? '')}`;
  return { method: request.method ?? '', url: sent, headers, body: await read(request) };
}

function withoutQuery(url: string): string {
  return url.slice(0, url.length - queryOf(url).length);
}

/** With its `?`; empty for none. */
function queryOf(url: string): string {
  return url.includes('?') ? url.slice(url.indexOf('?')) : '';
}

/**
 * Whether a request is meant as a delivery, right or wrong: it has one of the headers, or an event as its body. A platform
 * may try an address with HEAD, GET or a body of its own when an endpoint is created.
 */
export function isDelivery({ headers, body }: Outgoing): boolean {
  if (headers.some(([name]) => /^webhook-/i.test(name))) return true;
  const { type, data } = eventIn(body);
  return (
    (typeof type === 'string' && type.startsWith('run.')) || membersOf(data)['run'] !== undefined
  );
}

/** A request as a check sees it. `attemptsOf` knows the deliveries of an event so far. */
export function deliveryOf(
  { method, url, headers, body }: Outgoing,
  arrivedAt: number,
  attemptsOf: (eventId: unknown) => readonly ReceivedDelivery[],
): Omit<ReceivedDelivery, 'response'> {
  const event = eventIn(body);
  const { pathname, search } = new URL(url);
  return {
    method,
    url: `${pathname}${search}`,
    headers,
    body: Buffer.from(body ?? []),
    arrivedAt,
    header: (name) => headerValue(headers, name),
    event,
    attempts: () => attemptsOf(event['id']),
  };
}

/** A body as a JSON object; empty when it is not one. */
function eventIn(body: Uint8Array | null): Readonly<Record<string, unknown>> {
  return membersOf(parseJson(Buffer.from(body ?? []).toString('utf8')));
}
