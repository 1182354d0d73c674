import { variant } from '@hookproof/conformance/proof/kit/defect';
import type { Open, Variant } from '@hookproof/conformance/proof/kit/defect';
import { withHeader } from '@hookproof/conformance/proof/kit/message';
import {
  arrivalOf,
  isDelivery,
  keyFinder,
  signedAgain,
} from '@hookproof/conformance/proof/kit/receiver';
import { accepts, RIGHT_STEPS } from '@hookproof/conformance/proof/kit/verification';

type Edit = Readonly<Record<string, () => string | null>>;
const ago = (seconds: number) => () => new Date(Date.now() - seconds * 1_000).toUTCString();

/** Response headers that say something about a clock which is not the receiver's. */
const DATES: readonly (readonly [id: string, does: string, edit: Edit])[] = [
  ['date-missing', 'Sends no Date.', { date: () => null }],
  ['date-malformed', 'Sends a Date that is not a date.', { date: () => 'now' }],
  ['date-of-1970', 'Sends a Date of 1970.', { date: () => new Date(0).toUTCString() }],
  ['date-3-s-ago', 'Is behind a proxy whose clock is 3 s slow.', { date: ago(3) }],
  ['date-3-s-ahead', 'Is behind a proxy whose clock is 3 s fast.', { date: ago(-3) }],
  ['date-25-s-ago', 'Is behind a proxy whose clock is 25 s slow.', { date: ago(25) }],
  ['date-20-s-ahead', 'Is behind a proxy whose clock is 20 s fast.', { date: ago(-20) }],
  ['date-of-an-hour-ahead', 'Sends a Date an hour ahead.', { date: ago(-3_600) }],
  [
    'date-stored',
    'Is behind a cache that sends a Date of 10 minutes ago with an Age.',
    { date: ago(600), age: () => '600' },
  ],
  [
    'date-stored-without-age',
    'Is behind a cache that sends a Date of 10 minutes ago.',
    { date: ago(600), via: () => '1.1 proxy' },
  ],
];

/** Receivers whose clock differs from the suite's or from their Date. */
export const clockVariants: readonly Variant[] = [
  ...DATES.map(([id, does, edit]) =>
    variant({
      id,
      takes: 'signature.timestamp.within-tolerance',
      does,
      receiver: () => ({
        receiver: async (request, next) =>
          Object.entries(edit).reduce(
            (changed, [name, value]) => withHeader(changed, name, value()),
            await next(request),
          ),
      }),
    }),
  ),
  ...[-45, -3, -1, 1, 3, 45].map((seconds) =>
    variant({
      id: `clock-${Math.abs(seconds)}-s-${seconds > 0 ? 'fast' : 'slow'}`,
      takes: 'signature.timestamp.within-tolerance',
      does: `Has a clock that is ${Math.abs(seconds)} s ${seconds > 0 ? 'fast' : 'slow'}, and a Date that is right.`,
      receiver: otherClock(seconds),
    }),
  ),
];

/** The target sees every timestamp earlier or later, as if its clock were the other way off. Its Date is unchanged. */
function otherClock(seconds: number): Open {
  return ({ receiverSecret }) => {
    if (receiverSecret === undefined) return {};
    const keyOf = keyFinder(receiverSecret);
    const steps = { ...RIGHT_STEPS, isFresh: () => true };
    return {
      receiver: (request, next) => {
        if (!isDelivery(request)) return next(request);
        const key = keyOf(request);
        const arrival = arrivalOf(request);
        // A wrong signature stays wrong.
        if (!accepts(steps, arrival, key)) return next(request);
        const { timestamp = '0' } = steps.headers(arrival);
        const offset = Number(timestamp) - arrival.now - seconds;
        return next(signedAgain(request, key, offset));
      },
    };
  };
}
