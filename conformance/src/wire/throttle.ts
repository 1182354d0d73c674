import { Inconclusive } from '../verdict/findings.ts';
import type { Gate, GateSession } from './gate.ts';
import type { Channel } from './gate-rules.ts';
import { MAX_WAIT_MILLISECONDS, retryAfterMilliseconds } from './retry-after.ts';
import type { Incoming, Outgoing } from './transport.ts';

const MAX_TRIES = 4;

/** Sends, and when the target answers 429 or 503 waits as it asks and sends again, within bounds; then gives up as inconclusive. */
export async function sendWithRetries(
  gate: Gate,
  session: GateSession,
  channel: Channel,
  outgoing: Outgoing,
  now: () => number,
): Promise<Incoming> {
  for (let tries = 1; ; tries += 1) {
    const incoming = await session.send(channel, outgoing);
    if (incoming.status !== 429 && incoming.status !== 503) return incoming;
    const header = incoming.headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
    const wait = retryAfterMilliseconds(header, now());
    if (wait > MAX_WAIT_MILLISECONDS || tries === MAX_TRIES) {
      throw new Inconclusive(
        `${outgoing.method} ${outgoing.url} was still answered ${incoming.status} at try ${tries}, with Retry-After ${header ?? 'missing'}`,
      );
    }
    gate.pause(wait);
  }
}
