import { headerValue } from '@hookproof/conformance/hooks';

import { defect } from '../kit/defect.ts';
import type { Defect } from '../kit/defect.ts';
import { respond } from '../kit/message.ts';
import { eventOf, isAccepted, verifies } from '../kit/receiver.ts';
import type { Arrival } from '../kit/verification.ts';

const TOO_OLD = 'signature.timestamp.too-old';
const TOO_NEW = 'signature.timestamp.too-new';
const WITHIN = 'signature.timestamp.within-tolerance';
const MALFORMED = 'signature.timestamp.malformed';
const STRICT = 'signature.timestamp.strict';

/** Defects of the timestamp. */
export const timestampDefects: readonly Defect[] = [
  defect({
    id: 'age-not-checked',
    breaks: TOO_OLD,
    does: 'Accepts a timestamp of any age.',
    receiver: verifies({ isFresh: (age) => age >= -300 }),
  }),
  defect({
    id: 'zero-timestamp-unset',
    breaks: TOO_OLD,
    does: 'Treats the timestamp 0 as a missing one, and accepts it.',
    receiver: verifies({ isFresh: (age, { now }) => age === now || Math.abs(age) <= 300 }),
  }),
  defect({
    id: 'future-not-checked',
    breaks: TOO_NEW,
    does: 'Accepts every timestamp in the future.',
    receiver: verifies({ isFresh: (age) => age <= 300 }),
  }),
  defect({
    id: 'timestamp-of-32-bits',
    breaks: TOO_NEW,
    does: 'Reads the lower 32 bits of the timestamp.',
    receiver: verifies({ seconds: (timestamp) => orNull(Number(timestamp) % 2 ** 32) }),
  }),
  defect({
    id: 'tolerance-330',
    breaks: 'limits.timestamp-tolerance',
    does: 'Has a tolerance of 330 s.',
    receiver: verifies({ isFresh: within(330, 330) }),
  }),
  defect({
    id: 'tolerance-270',
    breaks: 'limits.timestamp-tolerance',
    does: 'Has a tolerance of 270 s.',
    receiver: verifies({ isFresh: within(270, 270) }),
  }),
  defect({
    id: 'timestamp-as-nonce',
    breaks: WITHIN,
    does: 'Takes the timestamp for a nonce, and refuses a second event of the same second.',
    receiver: () => {
      const users = new Map<string, string>();
      return {
        async receiver(request, next) {
          const [id = '', timestamp = ''] = ['webhook-id', 'webhook-timestamp'].map((name) =>
            headerValue(request.headers, name),
          );
          if ((users.get(timestamp) ?? id) !== id) return respond(401);
          const response = await next(request);
          if (isAccepted(response)) users.set(timestamp, id);
          return response;
        },
      };
    },
  }),
  defect({
    id: 'past-tolerance-240',
    breaks: WITHIN,
    does: 'Refuses a timestamp of more than 240 s ago.',
    receiver: verifies({ isFresh: within(240, 300) }),
  }),
  defect({
    id: 'future-tolerance-2',
    breaks: WITHIN,
    does: 'Refuses a timestamp of more than 2 s ahead.',
    receiver: verifies({ isFresh: within(300, 2) }),
  }),
  defect({
    id: 'timestamp-by-parse-int',
    breaks: MALFORMED,
    does: 'Reads the digits at the start of the timestamp, and ignores the rest.',
    receiver: verifies({ seconds: (timestamp) => orNull(Number.parseInt(timestamp, 10)) }),
  }),
  defect({
    id: 'timestamp-not-a-number-accepted',
    breaks: MALFORMED,
    does: 'Accepts a timestamp that is not a number.',
    receiver: verifies({ seconds: Number, isFresh: (age) => !(Math.abs(age) > 300) }),
  }),
  defect({
    id: 'timestamp-in-milliseconds-accepted',
    breaks: MALFORMED,
    does: 'Accepts a timestamp in milliseconds.',
    receiver: verifies({
      seconds: (timestamp) => {
        if (!/^\d+$/.test(timestamp)) return null;
        return timestamp.length > 12 ? Number(timestamp) / 1000 : Number(timestamp);
      },
    }),
  }),
  defect({
    id: 'timestamp-as-date-accepted',
    breaks: MALFORMED,
    does: 'Accepts a date as the timestamp.',
    receiver: verifies({
      seconds: (timestamp) =>
        /^\d+$/.test(timestamp) ? Number(timestamp) : orNull(Date.parse(timestamp) / 1000),
    }),
  }),
  defect({
    id: 'timestamp-by-number',
    breaks: STRICT,
    does: 'Accepts every spelling of a number as the timestamp.',
    receiver: verifies({
      seconds: (timestamp) => (timestamp === '' ? null : orNull(Number(timestamp))),
    }),
  }),
  defect({
    id: 'age-of-the-event-checked',
    breaks: 'receiver.event.late',
    does: 'Checks the age of the event instead of the age of the attempt.',
    receiver: verifies({
      isFresh: (age, arrival) =>
        Math.abs(age) <= 300 && !(eventAge(arrival) > 300 && eventAge(arrival) < 60 * DAY),
    }),
  }),
  defect({
    id: 'event-of-a-week-ago-refused',
    breaks: 'receiver.event.late',
    does: 'Refuses events that are more than a week old.',
    receiver: verifies({
      isFresh: (age, arrival) =>
        Math.abs(age) <= 300 && !(eventAge(arrival) > 7 * DAY && eventAge(arrival) < 60 * DAY),
    }),
  }),
];

const DAY = 86_400;

function within(past: number, future: number): (age: number) => boolean {
  return (age) => age <= past && age >= -future;
}

/** How old the event is, whatever the timestamp of the attempt. */
function eventAge({ headers, body, now }: Arrival): number {
  const event = eventOf({ method: 'POST', url: '', headers, body });
  return now - Date.parse(String(event?.createdAt)) / 1000;
}

function orNull(seconds: number): number | null {
  return Number.isNaN(seconds) ? null : seconds;
}
