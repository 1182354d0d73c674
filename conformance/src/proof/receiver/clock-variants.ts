import { withHeader } from '../edit.ts';
import type { Variant } from '../transformation.ts';
import { accepts, RIGHT_STEPS } from './verification.ts';
import { arrivalOf, isDelivery, keyFinder, signedAgain } from './arrival.ts';

const SECOND = 1_000;
const TAKES = 'signature.timestamp.within-tolerance';

type Edit = Readonly<Record<string, () => string | null>>;
const ago = (milliseconds: number) => () => new Date(Date.now() - milliseconds).toUTCString();

/** Response headers that say something about a clock which is not the receiver's. */
const headers: Readonly<Record<string, readonly [does: string, edit: Edit]>> = {
  'date-missing': ['Sends no Date.', { date: () => null }],
  'date-malformed': ['Sends a Date that is no date.', { date: () => 'now' }],
  'date-of-1970': ['Sends a Date of 1970.', { date: () => new Date(0).toUTCString() }],
  'date-3-s-ago': ['Stands behind a proxy whose clock is 3 s slow.', { date: ago(3 * SECOND) }],
  'date-3-s-ahead': ['Stands behind a proxy whose clock is 3 s fast.', { date: ago(-3 * SECOND) }],
  'date-25-s-ago': ['Stands behind a proxy whose clock is 25 s slow.', { date: ago(25 * SECOND) }],
  'date-20-s-ahead': [
    'Stands behind a proxy whose clock is 20 s fast.',
    { date: ago(-20 * SECOND) },
  ],
  'date-of-an-hour-ahead': ['Sends a Date an hour ahead.', { date: ago(-3_600 * SECOND) }],
  'date-stored': [
    'Stands behind a cache that sends a Date of 10 minutes ago with an Age.',
    { date: ago(600 * SECOND), age: () => '600' },
  ],
  'date-stored-without-age': [
    'Stands behind a cache that sends a Date of 10 minutes ago.',
    { date: ago(600 * SECOND), via: () => '1.1 proxy' },
  ],
};

/** Receivers whose clock differs from the suite's or from their Date. */
export const clockVariants: readonly Variant[] = [
  ...Object.entries(headers).map(([id, [does, edit]]): Variant => ({
    id,
    side: 'receiver',
    does,
    takes: TAKES,
    open: () => ({
      receiver: async (request, next) => {
        const response = await next(request);
        return Object.entries(edit).reduce(
          (changed, [name, value]) => withHeader(changed, name, value()),
          response,
        );
      },
    }),
  })),
  ...[-45, -3, -1, 1, 3, 45].map((seconds) => otherClock(seconds)),
];

/** The target sees every timestamp earlier or later, as if its clock were the other way off. Its Date is unchanged. */
function otherClock(seconds: number): Variant {
  const size = Math.abs(seconds);
  return {
    id: `clock-${size}-s-${seconds > 0 ? 'fast' : 'slow'}`,
    side: 'receiver',
    does: `Has a clock that is ${size} s ${seconds > 0 ? 'fast' : 'slow'}, and a Date that is right.`,
    takes: TAKES,
    open: ({ receiverSecret }) => {
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
    },
  };
}
