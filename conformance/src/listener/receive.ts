import type { IncomingMessage } from 'node:http';

import { headerPairs, headerValue, membersOf, parseJson } from '../http/message.ts';
import type { Outgoing } from '../http/message.ts';
import { read } from '../wire/transport.ts';
import type { ReceivedDelivery } from './delivery.ts';

/** Reads a request for the listener at `url` to its end. Throws for a body above 8 MiB. */
export async function receive(request: IncomingMessage, url: string): Promise<Outgoing> {
  const headers = headerPairs(request.rawHeaders);
  return { method: request.method ?? '', url, headers, body: await read(request) };
}

/** A request as a check sees it, among the deliveries of its listener. */
export function deliveryOf(
  { method, url, headers, body }: Outgoing,
  arrivedAt: number,
  deliveries: readonly ReceivedDelivery[],
): Omit<ReceivedDelivery, 'response'> {
  const bytes = Buffer.from(body ?? []);
  const json = parseJson(bytes.toString('utf8'));
  const event = membersOf(json);
  return {
    method,
    url: new URL(url).pathname,
    headers,
    body: bytes,
    arrivedAt,
    header: (name) => headerValue(headers, name),
    event,
    attempts: () => deliveries.filter((one) => one.event['id'] === event['id']),
  };
}
