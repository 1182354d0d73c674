import type { OrderingVectorNote } from '@hookproof/spec/vectors';

/** The bugs that the flags name. */
export const orderingNotes: Readonly<Record<string, OrderingVectorNote>> = {
  AmbiguityHidden: note(
    'MISSING_CHECK',
    'One of several orders is reported as if the events had no other.',
  ),
  CreationByTime: note(
    'WRONG_KEY',
    'The creation of a run is placed by its createdAt, although no event can be before it.',
  ),
  DateFunction: note(
    'NARROW_PARSER',
    'createdAt is read by the date function of the language, which does not know every form of ISO 8601.',
  ),
  DuplicateCounted: note('MISSING_CHECK', 'A delivery that is repeated counts as another event.'),
  EndByArrival: note(
    'WRONG_KEY',
    'The terminal event that arrives first, or last, is the end of the run, and not the oldest one.',
  ),
  EndReopened: note('MISSING_CHECK', 'An event after the end of a run changes its status.'),
  FractionAsInteger: note(
    'WRONG_COMPARISON',
    'The digits after the decimal sign are compared as an integer, so .5 is before .25.',
  ),
  GapHidden: note('MISSING_CHECK', 'A history with missing events is reported as whole.'),
  GapInvented: note(
    'NO_TOLERANCE',
    'Clocks that differ by some milliseconds are taken for missing events.',
  ),
  GreedyChain: note(
    'WRONG_SEARCH',
    'Any event that leaves the current status is next, so others cannot be reached any more.',
  ),
  ImpossibleInvented: note(
    'NO_TOLERANCE',
    'An event is refused because the clock of the end of its run was slightly behind.',
  ),
  MillisecondsOnly: note('TRUNCATION', 'Digits of createdAt after the third are cut off.'),
  RoundTripMerged: note(
    'WRONG_KEY',
    'Events with the same statuses count as one, so a run that returns to a status loses events.',
  ),
  SecondCreation: note(
    'MISSING_CHECK',
    'A second creation begins the run again, or replaces the first.',
  ),
  SkewUnbounded: note(
    'NO_LIMIT',
    'Events change places to close the chain however far apart they are, so missing events are hidden.',
  ),
  SortByArrival: note('WRONG_KEY', 'Events are in the order of their arrival.'),
  SortById: note('WRONG_KEY', 'Events, or those at the same time, are in the order of their ids.'),
  SortByTimeOnly: note(
    'WRONG_KEY',
    'Events are in the order of createdAt alone, so simultaneous ones are in any order.',
  ),
  StatusRank: note(
    'WRONG_KEY',
    'Events are in the usual order of statuses, so a run that returns to a status is wrong.',
  ),
  TextComparison: note(
    'WRONG_COMPARISON',
    'createdAt is compared as text, so offsets and spellings change the order.',
  ),
};

function note(bugType: string, effect: string): OrderingVectorNote {
  return { bugType, effect };
}
