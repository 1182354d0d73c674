import type { Defect } from '../transformation.ts';
import { eventOf } from './arrival.ts';
import { stepDefects } from './verifying.ts';
import type { Arrival } from './verification.ts';

/** How old the event is, whatever the timestamp of the attempt. */
function eventAge({ headers, body, now }: Arrival): number {
  const event = eventOf({ method: 'POST', url: '', headers, body });
  return now - Date.parse(String(event?.createdAt)) / 1000;
}

const digitsBefore = (timestamp: string): number => Number.parseInt(timestamp, 10);
const orNull = (seconds: number): number | null => (Number.isNaN(seconds) ? null : seconds);

/** Defects of the timestamp. */
export const timestampDefects: readonly Defect[] = [
  ...stepDefects('signature.timestamp.too-old', [
    ['age-not-checked', 'Accepts a timestamp of any age.', { isFresh: (age) => age >= -300 }],
    ['past-tolerance-600', 'Accepts a timestamp of 600 s ago.', { isFresh: within(600, 300) }],
    ['past-tolerance-330', 'Accepts a timestamp of 330 s ago.', { isFresh: within(330, 300) }],
    ['past-tolerance-3600', 'Accepts a timestamp of an hour ago.', { isFresh: within(3_600, 300) }],
    [
      'zero-timestamp-unset',
      'Takes the timestamp 0 for no timestamp.',
      { isFresh: (age, { now }) => age === now || Math.abs(age) <= 300 },
    ],
  ]),
  ...stepDefects('signature.timestamp.too-new', [
    [
      'future-not-checked',
      'Accepts every timestamp in the future.',
      { isFresh: (age) => age <= 300 },
    ],
    ['future-tolerance-600', 'Accepts a timestamp 600 s ahead.', { isFresh: within(300, 600) }],
    ['future-tolerance-330', 'Accepts a timestamp 330 s ahead.', { isFresh: within(300, 330) }],
    [
      'timestamp-of-32-bits',
      'Keeps 32 bits of the timestamp.',
      { seconds: (timestamp) => orNull(Number(timestamp) % 2 ** 32) },
    ],
  ]),
  ...stepDefects('limits.timestamp-tolerance', [
    ['tolerance-600', 'Has a tolerance of 600 s.', { isFresh: within(600, 600) }],
    ['tolerance-900', 'Has a tolerance of 15 minutes.', { isFresh: within(900, 900) }],
    ['tolerance-330', 'Has a tolerance of 330 s.', { isFresh: within(330, 330) }],
    ['tolerance-270', 'Has a tolerance of 270 s.', { isFresh: within(270, 270) }],
    ['tolerance-30', 'Has a tolerance of 30 s.', { isFresh: within(30, 30) }],
    ['timestamp-not-checked', 'Accepts every timestamp.', { isFresh: () => true }],
  ]),
  ...stepDefects('signature.timestamp.within-tolerance', [
    ['past-tolerance-60', 'Refuses a timestamp of 60 s ago.', { isFresh: within(59, 300) }],
    ['past-tolerance-240', 'Refuses a timestamp of 240 s ago.', { isFresh: within(240, 300) }],
    ['future-tolerance-2', 'Refuses a timestamp of 3 s ahead.', { isFresh: within(300, 2) }],
    ['future-tolerance-60', 'Refuses a timestamp of 61 s ahead.', { isFresh: within(300, 60) }],
  ]),
  ...stepDefects('signature.timestamp.malformed', [
    [
      'timestamp-by-parse-int',
      'Reads the digits at the start of the timestamp.',
      { seconds: (timestamp) => orNull(digitsBefore(timestamp)) },
    ],
    [
      'timestamp-not-a-number-accepted',
      'Accepts a timestamp that is not a number.',
      { seconds: Number, isFresh: (age) => !(Math.abs(age) > 300) },
    ],
    [
      'timestamp-in-milliseconds-accepted',
      'Accepts a timestamp in milliseconds.',
      {
        seconds: (timestamp) => {
          if (!/^\d+$/.test(timestamp)) return null;
          return timestamp.length > 12 ? Number(timestamp) / 1000 : Number(timestamp);
        },
      },
    ],
    [
      'timestamp-as-date-accepted',
      'Accepts a date as the timestamp.',
      {
        seconds: (timestamp) =>
          /^\d+$/.test(timestamp) ? Number(timestamp) : orNull(Date.parse(timestamp) / 1000),
      },
    ],
    [
      'timestamp-quotes-removed',
      'Removes quotes around the timestamp.',
      { seconds: (timestamp) => orNull(Number(timestamp.replaceAll('"', ''))) },
    ],
  ]),
  ...stepDefects('signature.timestamp.strict', [
    [
      'timestamp-with-fraction-accepted',
      'Accepts a timestamp with a fraction.',
      { seconds: (timestamp) => (/^\d+(\.\d*)?$/.test(timestamp) ? Number(timestamp) : null) },
    ],
    [
      'timestamp-by-number',
      'Accepts every spelling of a number.',
      { seconds: (timestamp) => (timestamp === '' ? null : orNull(Number(timestamp))) },
    ],
  ]),
  ...stepDefects('receiver.event.late', [
    [
      'age-of-the-event-checked',
      'Measures the age of the event in place of the attempt.',
      {
        isFresh: (age, arrival) =>
          Math.abs(age) <= 300 && !(eventAge(arrival) > 300 && eventAge(arrival) < 3_600 * 24 * 60),
      },
    ],
    [
      'event-of-a-week-ago-refused',
      'Refuses events that are more than a week old.',
      {
        isFresh: (age, arrival) =>
          Math.abs(age) <= 300 &&
          !(eventAge(arrival) > 3_600 * 24 * 7 && eventAge(arrival) < 3_600 * 24 * 60),
      },
    ],
  ]),
];

function within(past: number, future: number): (age: number) => boolean {
  return (age) => age <= past && age >= -future;
}
