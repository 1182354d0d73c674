import type { OrderingDefinition } from './definition.ts';

const SHORT = ['c >pending 0', 'r pending>running 5', 'd running>completed 90'] as const;
const [CREATED, STARTED, DONE] = SHORT;

/** A run of an agent with a round trip. */
const LONG = [
  'c >created 0',
  'q created>pending 2',
  'r pending>running 4',
  'w running>waiting 30',
  's waiting>running 600',
  'f running>finalizing 700',
  'd finalizing>completed 702',
] as const;

export const arrivalVectors: readonly OrderingDefinition[] = [
  {
    id: 'arrival-in-order',
    comment: 'A run whose events arrive in order.',
    flags: [],
    events: SHORT,
    steps: 'c r d',
  },
  {
    id: 'arrival-reversed',
    comment: 'The same run, the newest event first.',
    flags: ['SortByArrival'],
    events: SHORT.toReversed(),
    steps: 'c r d',
  },
  {
    id: 'arrival-end-first',
    comment: 'The end arrives before the creation and the start.',
    flags: ['SortByArrival'],
    events: [DONE, CREATED, STARTED],
    steps: 'c r d',
  },
  {
    id: 'arrival-start-after-end',
    comment: 'An older event arrives after the end. The run stays completed.',
    flags: ['SortByArrival', 'EndReopened'],
    events: [CREATED, DONE, STARTED],
    steps: 'c r d',
  },
  {
    id: 'arrival-creation-last',
    comment: 'The creation of a long run arrives last.',
    flags: ['SortByArrival'],
    events: [...LONG.slice(1), LONG[0]],
    steps: 'c q r w s f d',
  },
  {
    id: 'arrival-shuffled',
    comment: 'A long run in a mixed order of arrival. It enters running twice.',
    flags: ['SortByArrival', 'StatusRank'],
    events: [LONG[4], LONG[1], LONG[6], LONG[3], LONG[0], LONG[5], LONG[2]],
    steps: 'c q r w s f d',
  },
  {
    id: 'arrival-neighbours-swapped',
    comment: 'Every two neighbours are swapped.',
    flags: ['SortByArrival'],
    events: [LONG[1], LONG[0], LONG[3], LONG[2], LONG[5], LONG[4], LONG[6]],
    steps: 'c q r w s f d',
  },
  {
    id: 'arrival-repeated-at-once',
    comment: 'Each event is delivered twice in a row.',
    flags: ['DuplicateCounted'],
    events: SHORT.flatMap((event) => [event, event]),
    steps: 'c r d',
  },
  {
    id: 'arrival-repeated-later',
    comment: 'All events are delivered again after the end.',
    flags: ['DuplicateCounted', 'SortByArrival', 'EndReopened'],
    events: [...SHORT, ...SHORT],
    steps: 'c r d',
  },
  {
    id: 'arrival-end-repeated-first',
    comment: 'The end is delivered three times before anything else.',
    flags: ['DuplicateCounted', 'SortByArrival'],
    events: [DONE, DONE, DONE, STARTED, CREATED],
    steps: 'c r d',
  },
  {
    id: 'arrival-creation-repeated',
    comment:
      'The creation is delivered again while the run is running. That is no second creation.',
    flags: ['DuplicateCounted', 'SecondCreation'],
    events: [CREATED, STARTED, CREATED],
    steps: 'c r',
  },
  {
    id: 'arrival-round-trips-reversed',
    comment:
      'Three round trips arrive in reverse. Moves between the same statuses are different events.',
    flags: ['SortByArrival', 'RoundTripMerged', 'StatusRank'],
    events: [
      'g waiting>running 60',
      'f running>waiting 50',
      'e waiting>running 40',
      'd running>waiting 30',
      'b waiting>running 20',
      'a running>waiting 10',
      'c >running 0',
    ],
    steps: 'c a b d e f g',
  },
  {
    id: 'arrival-ids-against-time',
    comment: 'The ids sort in reverse. An id shows no order.',
    flags: ['SortById'],
    events: ['z >pending 0', 'y pending>running 1', 'x running>waiting 2', 'a waiting>failed 3'],
    steps: 'z y x a',
  },
  {
    id: 'arrival-two-round-trips-mixed',
    comment: 'Two round trips whose halves arrive mixed.',
    flags: ['SortByArrival', 'StatusRank', 'RoundTripMerged'],
    events: [
      'c >running 0',
      'd running>waiting 30',
      'b waiting>running 20',
      'a running>waiting 10',
      'e waiting>running 40',
    ],
    steps: 'c a b d e',
  },
  {
    id: 'arrival-nothing',
    comment: 'No events. The status is unknown, and nothing is whole.',
    flags: ['GapHidden'],
    events: [],
    steps: '',
  },
];
