import type { OrderingDefinition } from './definition.ts';

/** The usual neighbours of a spelling: events at 12:00, 12:01, (12:02,) 12:03 and 12:04 UTC. */
function aroundTwoMinutesPast(spelling: string): readonly string[] {
  return [
    'e waiting>running 240',
    `b waiting>running ${spelling}`,
    'd running>waiting 180',
    'c >running 0',
    'a running>waiting 60',
  ];
}

function spelled(
  name: string,
  spelling: string,
  comment: string,
  flags: readonly string[],
): OrderingDefinition {
  const events = aroundTwoMinutesPast(spelling);
  return { id: `spelling-${name}`, comment, flags, events, steps: 'c a b d e' };
}

export const spellingVectors: readonly OrderingDefinition[] = [
  spelled('offset-ahead', '2026-07-01T14:02:00+02:00', 'An offset of two hours ahead of UTC.', [
    'TextComparison',
  ]),
  spelled('offset-behind', '2026-07-01T05:02:00-07:00', 'An offset of seven hours behind UTC.', [
    'TextComparison',
  ]),
  spelled('offset-other-day', '2026-07-02T01:32:00+13:30', 'An offset that changes the date.', [
    'TextComparison',
  ]),
  spelled('offset-zero', '2026-07-01T12:02:00+00:00', 'UTC as an offset of zero.', []),
  spelled('lower-case', '2026-07-01t12:02:00z', 'The letters t and z.', ['TextComparison']),
  {
    id: 'spelling-leap-second',
    comment: 'Second 60 is before the next minute and after second 59.',
    flags: ['DateFunction'],
    events: [
      'd running>waiting 2017-01-01T00:00:00.5Z',
      'b waiting>running 2016-12-31T23:59:60Z',
      'a running>waiting 2016-12-31T23:59:59Z',
      'c >running 2016-12-31T23:58:00Z',
    ],
    steps: 'c a b d',
  },
  {
    id: 'spelling-mixed',
    comment: 'Every event in another form.',
    flags: ['TextComparison', 'SortByArrival'],
    events: [
      'd finalizing>completed 2026-07-01T14:05:00+02:00',
      'b pending>running 2026-07-01T12:01:00Z',
      'f running>finalizing 2026-07-01T05:04:00.250-07:00',
      'c >pending 2026-07-01t12:00:00z',
    ],
    steps: 'c b f d',
  },
];

export const fractionVectors: readonly OrderingDefinition[] = [
  {
    id: 'fraction-different-lengths',
    comment: 'Fractions of one to three digits are decimals, not integers.',
    flags: ['FractionAsInteger', 'SortByArrival'],
    events: [
      'd running>waiting 0.875',
      'b waiting>running 0.5',
      'a running>waiting 0.125',
      'c >running 0',
    ],
    steps: 'c a b d',
  },
  {
    id: 'fraction-none-is-zero',
    comment: 'A time without a fraction is before the same second with one.',
    flags: ['TextComparison'],
    events: [
      'd running>waiting 2.9',
      'b waiting>running 2.50',
      'a running>waiting 2',
      'c >running 0',
    ],
    steps: 'c a b d',
  },
  {
    id: 'fraction-microseconds',
    comment: 'Two round trips within a millisecond, in reverse. The digits after the third decide.',
    flags: ['MillisecondsOnly', 'AmbiguityHidden'],
    events: [
      'e waiting>running 1.000400',
      'd running>waiting 1.000300',
      'b waiting>running 1.000200',
      'a running>waiting 1.000100',
      'c >running 0',
    ],
    steps: 'c a b d e',
    isAmbiguous: true,
  },
  {
    id: 'fraction-nanoseconds',
    comment: 'Times that differ in the ninth digit.',
    flags: ['MillisecondsOnly', 'AmbiguityHidden'],
    events: [
      'd running>waiting 1.123456783',
      'c >running 0',
      'b waiting>running 1.123456782',
      'a running>waiting 1.123456781',
    ],
    steps: 'c a b d',
    isAmbiguous: true,
  },
  {
    id: 'fraction-beyond-floating-point',
    comment: 'Times that differ in the 25th digit, which no floating-point number keeps.',
    flags: ['MillisecondsOnly', 'AmbiguityHidden'],
    events: [
      'd running>waiting 2026-07-01T12:00:01.1234567890123456789012343Z',
      'b waiting>running 2026-07-01T12:00:01.1234567890123456789012342Z',
      'a running>waiting 2026-07-01T12:00:01.1234567890123456789012341Z',
      'c >running 0',
    ],
    steps: 'c a b d',
    isAmbiguous: true,
  },
  {
    id: 'fraction-zeros-at-the-end',
    comment: 'Zeros at the end change nothing, so the two moves are simultaneous.',
    flags: ['TextComparison'],
    events: [
      'r pending>running 1.5',
      'd running>failed 1.500',
      'c >pending 0.000000000000000000000',
    ],
    steps: 'c r d',
  },
];
