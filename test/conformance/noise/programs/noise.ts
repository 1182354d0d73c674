import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Between } from '@hookproof/conformance/hooks';

const LIMITED = 0.05;
const UNAVAILABLE = 0.05;
/** Half of them before the request has its effect, half after. */
const RESET = 0.01;
/** Of the responses 503. */
const WITH_RETRY_AFTER = 0.5;

/** What a busy way to a target does to some exchanges, each with its own response time. */
export function noise(random: () => number, jitterMilliseconds: number): Between {
  return async (request, next) => {
    await sleep(random() * jitterMilliseconds);
    const draw = random();
    if (draw < LIMITED) return limited();
    if (draw < LIMITED + UNAVAILABLE) return gateway(random());
    const isReset = draw < LIMITED + UNAVAILABLE + RESET;
    if (isReset && random() < 0.5) throw new Error('the request is lost');
    const response = await next(request);
    if (isReset) throw new Error('the response is lost');
    return response;
  };
}

/** Numbers from 0 up to 1: the same sequence for the same seed. */
export function drawsOf(seed: string): () => number {
  let drawn = 0;
  return () => {
    drawn += 1;
    return createHash('sha256').update(`${seed} ${drawn}`).digest().readUInt32BE() / 2 ** 32;
  };
}

/** As the contract describes it: each 429 is judged. */
function limited(): Awaited<ReturnType<Between>> {
  const requestId = 'req_of_a_limit';
  const issue = { field: '<root>', message: 'Too many.', code: 'rate_limited', severity: 'error' };
  return {
    status: 429,
    headers: [
      ['content-type', 'application/json'],
      ['x-request-id', requestId],
      ['retry-after', '1'],
    ],
    bytes: Buffer.from(JSON.stringify({ issues: [issue], requestId })),
  };
}

/** A gateway knows no error envelope. */
function gateway(draw: number): Awaited<ReturnType<Between>> {
  return {
    status: 503,
    headers: [
      ['content-type', 'text/html'],
      ...(draw < WITH_RETRY_AFTER ? ([['retry-after', '1']] as const) : []),
    ],
    bytes: Buffer.from('<h1>Busy</h1>'),
  };
}
