import type { World as WorldOfControl } from '@hookproof/spec/control';

/** A tenant with a neighbor, their keys and the ids of every fixture: everything that one test needs. */
export interface World extends WorldOfControl {
  keys: Required<WorldOfControl['keys']>;
  fixtures: Required<WorldOfControl['fixtures']>;
}
