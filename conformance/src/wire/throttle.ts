import { headerValue } from '../http/message.ts';
import type { Incoming, Outgoing } from '../http/message.ts';
import { Inconclusive } from '../verdict/findings.ts';
import type { Gate, GateSession } from './gate.ts';
import type { Channel } from './gate-rules.ts';

const MAX_ATTEMPTS = 4;
const MAX_WAIT_MILLISECONDS = 20_000;
const DEFAULT_WAIT_MILLISECONDS = 1_000;

/** Sends a request; after 429 or 503 waits as `Retry-After` asks and sends it again. Throws `Inconclusive` at its bounds. */
export async function sendWithRetries(
  gate: Gate,
  session: GateSession,
  channel: Channel,
  outgoing: Outgoing,
  now: () => number,
): Promise<Incoming> {
  for (let attempt = 1; ; attempt += 1) {
    const incoming = await session.send(channel, outgoing);
    if (incoming.status !== 429 && incoming.status !== 503) return incoming;
    const header = headerValue(incoming.headers, 'retry-after');
    const wait = retryAfterMilliseconds(header, now());
    if (wait > MAX_WAIT_MILLISECONDS || attempt === MAX_ATTEMPTS) {
      throw new Inconclusive(
        `${outgoing.method} ${outgoing.url} still got ${incoming.status} on attempt ${attempt}, with Retry-After ${header ?? 'missing'}`,
      );
    }
    gate.pause(wait);
  }
}

/** The wait that a `Retry-After` header asks for: seconds or an HTTP date; one second when it is missing or malformed. */
export function retryAfterMilliseconds(header: string | undefined, now: number): number {
  if (header !== undefined && /^[0-9]{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const date = header === undefined ? Number.NaN : Date.parse(header);
  return Number.isNaN(date) ? DEFAULT_WAIT_MILLISECONDS : Math.max(0, date - now);
}
