import { TIMESTAMP_TOLERANCE_SECONDS } from '@hookproof/spec';

import type { ApiResponse } from '../../clients/api-client.ts';
import { area } from '../../check-kit/area.ts';
import type { Check, CheckContext } from '../../check-kit/check.ts';
import { CouldNotRun, Inconclusive } from '../../verdict/findings.ts';
import { assumeSuccess, isSuccess, violation } from '../../check-kit/expect.ts';
import { deliver, testEvent } from './deliver.ts';

const timestamp = area('receiver.timestamp', { access: 'read', needs: ['receiver'] });

/** The receiver's clock is known to the second, and a delivery takes time: offsets in between are not judged. */
const UNJUDGEABLE_SECONDS = 2;
/** During a longer delivery the receiver's clock may pass the edge, so its refusal or acceptance decides nothing. */
const MAX_DELIVERY_MILLISECONDS = 1_000;
const MAX_TRIES = 5;

/** The tolerance of 300 s, as close to its edges as the measured clock allows. */
export const receiverTimestampChecks: readonly Check[] = [
  timestamp.check({
    name: 'within-tolerance',
    requirements: ['signature.timestamp.within-tolerance', 'limits.timestamp-tolerance'],
    title: 'accepts a timestamp a little less than 300 s from now',
    async run(context) {
      needClock(context);
      const inside = TIMESTAMP_TOLERANCE_SECONDS - 1;
      // The receiver may be a second ahead of its Date header, so the past side keeps a distance.
      for (const offset of [-(inside - UNJUDGEABLE_SECONDS + 1), inside]) {
        const response = await deliverAt(context, `within${offset}`, offset, true);
        if (!isSuccess(response)) throw refusedWrongly(offset, response);
      }
    },
  }),
  beyond('beyond-tolerance-past', 'signature.timestamp.too-old', -1),
  beyond('beyond-tolerance-future', 'signature.timestamp.too-new', 1),
];

function beyond(name: string, requirement: string, sign: 1 | -1): Check {
  return timestamp.check({
    name: name,
    requirements: [requirement, 'limits.timestamp-tolerance'],
    title: `refuses a timestamp a little more than 300 s in the ${sign < 0 ? 'past' : 'future'}`,
    async run(context) {
      needClock(context);
      assumeSuccess(await deliver(context, testEvent(context, `${name}-valid`)));
      const offset = sign * (TIMESTAMP_TOLERANCE_SECONDS + 1 + UNJUDGEABLE_SECONDS);
      const response = await deliverAt(context, name, offset, false);
      if (isSuccess(response)) {
        throw violation('anything but a 2xx', `status ${response.status}`, response);
      }
    },
  });
}

/** Delivers with a timestamp near the edge; again when the wrong outcome may be due to a slow delivery. */
async function deliverAt(
  context: CheckContext,
  name: string,
  offset: number,
  accepts: boolean,
): Promise<ApiResponse> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const startedAt = context.now();
    const response = await deliver(context, testEvent(context, name), offset);
    const isInTime = context.now() - startedAt < MAX_DELIVERY_MILLISECONDS;
    if (isInTime || isSuccess(response) === accepts) return response;
  }
  throw new Inconclusive(
    `Each of ${MAX_TRIES} deliveries took ${MAX_DELIVERY_MILLISECONDS} ms or longer: the timestamp may have passed the edge on the way.`,
  );
}

function refusedWrongly(offset: number, response: Parameters<typeof violation>[2]) {
  return violation(
    `a 2xx for a timestamp ${offset} s from now`,
    `status ${response.status}`,
    response,
  );
}

function needClock({ receiver }: CheckContext): void {
  if (receiver.clockOffsetMilliseconds !== null) return;
  throw new CouldNotRun(
    'the receiver must send a Date header, which shows its clock, got none',
    'send a Date header from the receiver or its proxy',
  );
}
