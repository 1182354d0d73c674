import { TIMESTAMP_TOLERANCE_SECONDS } from '@hookproof/spec';

import { area } from '../../check-kit/area.ts';
import type { Check, CheckContext } from '../../check-kit/check.ts';
import { signDelivery } from '../../signing/delivery.ts';
import { Inconclusive, Violation } from '../../verdict/findings.ts';
import { acceptedWindow, probe } from './accepted-window.ts';
import type { AcceptedWindow } from './accepted-window.ts';
import {
  assumeAccepted,
  eventNow,
  isAccepted,
  notAccepted,
  receiverSeconds,
  responseTo,
} from './deliver.ts';
import type { Settled } from './deliver.ts';

const timestamp = area('receiver.timestamp', { access: 'read', needs: ['receiver'] });

/** The receiver's clock is known to the second, and a delivery takes time: offsets in between are not judged. */
const UNJUDGEABLE_SECONDS = 3;
const INSIDE = TIMESTAMP_TOLERANCE_SECONDS - UNJUDGEABLE_SECONDS;
const OUTSIDE = TIMESTAMP_TOLERANCE_SECONDS + UNJUDGEABLE_SECONDS;
const WIDTH = 2 * TIMESTAMP_TOLERANCE_SECONDS;

/**
 * The tolerance of 300 s. A receiver whose clock is the one of its Date header is judged by one delivery at each edge.
 * For any other, both edges are searched, and the distance between them is judged: it needs no clock.
 */
export const receiverTimestampChecks: readonly Check[] = [
  timestamp.check({
    name: 'within-tolerance',
    requirements: ['signature.timestamp.within-tolerance', 'limits.timestamp-tolerance'],
    title: 'accepts a timestamp a little less than 300 s from now',
    async run(context) {
      const fits = async (offset: number): Promise<boolean> =>
        (await probe(context, `within${offset < 0 ? 'past' : 'future'}`, offset, 'valid'))
          .isAccepted;
      if ((await fits(-INSIDE)) && (await fits(INSIDE))) return;
      const window = await acceptedWindow(context, 'within');
      if (window.newest - window.oldest < WIDTH - window.uncertainty) {
        throw violated(window, -1);
      }
    },
  }),
  timestamp.check({
    name: 'same-second',
    requirements: ['signature.timestamp.within-tolerance'],
    title: 'accepts two events that were signed in the same second',
    run: expectNoNonce,
  }),
  beyond('beyond-tolerance-past', 'signature.timestamp.too-old', -1),
  beyond('beyond-tolerance-future', 'signature.timestamp.too-new', 1),
];

/** No other delivery of the suite has a timestamp this far from now. */
const UNUSED_SECONDS = 137;

/** A timestamp that an event has used does not refuse the next one: only `webhook-id` tells events apart. */
async function expectNoNonce(context: CheckContext): Promise<void> {
  const seconds = receiverSeconds(context) - UNUSED_SECONDS - 2 * context.attempt;
  const deliver = (label: string, at: number): Promise<Settled> => {
    const event = eventNow(context, label);
    return responseTo(context, () => signDelivery(event, context.receiver, at), 'valid');
  };
  if (!isAccepted(await deliver('samefirst', seconds))) {
    await assumeAccepted(context, eventNow(context, 'samevalid'));
    throw new Inconclusive('Cannot judge: the receiver refuses what was signed two minutes ago.', {
      reportedBy: 'receiver.timestamp.within-tolerance',
    });
  }
  const second = await deliver('samesecond', seconds);
  if (isAccepted(second)) return;
  if (!isAccepted(await deliver('samelater', seconds - 1))) {
    await assumeAccepted(context, eventNow(context, 'samealive'));
  }
  throw notAccepted('another event that was signed in the same second', second);
}

function beyond(name: string, requirement: string, sign: 1 | -1): Check {
  return timestamp.check({
    name,
    requirements: [requirement, 'limits.timestamp-tolerance'],
    title: `refuses a timestamp a little more than 300 s in the ${sign < 0 ? 'past' : 'future'}`,
    async run(context) {
      const label = `beyond${sign < 0 ? 'past' : 'future'}`;
      await assumeAccepted(context, eventNow(context, `${label}valid`));
      const probed = await probe(context, label, sign * OUTSIDE, 'invalid');
      if (!probed.isAccepted) return;
      const window = await acceptedWindow(context, label);
      if (isTooWide(window, sign)) throw violated(window, sign);
    },
  });
}

/** Whether the window is too wide, and on this side at least as much as on the other. */
function isTooWide({ oldest, newest, uncertainty }: AcceptedWindow, sign: 1 | -1): boolean {
  if (newest - oldest <= WIDTH + uncertainty) return false;
  const past = -oldest - TIMESTAMP_TOLERANCE_SECONDS;
  const future = newest - TIMESTAMP_TOLERANCE_SECONDS;
  const [own, other] = sign < 0 ? [past, future] : [future, past];
  return own > uncertainty || own >= other;
}

function violated(window: AcceptedWindow, sign: 1 | -1): Violation {
  const { oldest, newest, responses } = window;
  const [past, future] = responses;
  const response = (sign < 0 ? past : future) ?? past ?? future;
  return new Violation({
    expected: `timestamps accepted within ${WIDTH} s around the current time`,
    actual: `${newest - oldest} s, from ${oldest} s to +${newest} s`,
    ...(response == null ? {} : { exchange: response.exchange }),
  });
}
