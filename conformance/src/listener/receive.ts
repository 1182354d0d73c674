import type { IncomingMessage } from 'node:http';

import { headerPairs, headerValue, isRecord, parseJson } from '../http/message.ts';
import type { Outgoing } from '../http/message.ts';
import type { ReceivedDelivery } from './delivery.ts';

const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Reads a request for the listener at `url` to its end. Throws `RangeError` for a body above 8 MiB. */
export async function receive(request: IncomingMessage, url: string): Promise<Outgoing> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BODY_BYTES) throw new RangeError(`the body exceeds ${MAX_BODY_BYTES} bytes`);
    chunks.push(bytes);
  }
  const headers = headerPairs(request.rawHeaders);
  return { method: request.method ?? '', url, headers, body: Buffer.concat(chunks) };
}

/** A request as a check sees it. */
export function deliveryOf(
  { method, url, headers, body }: Outgoing,
  arrivedAt: number,
): Omit<ReceivedDelivery, 'response'> {
  const bytes = Buffer.from(body ?? []);
  const event = parseJson(bytes.toString('utf8'));
  return {
    method,
    url: new URL(url).pathname,
    headers,
    body: bytes,
    arrivedAt,
    header: (name) => headerValue(headers, name),
    event: isRecord(event) ? event : {},
  };
}
