import { RUN_STATUSES, TERMINAL_RUN_STATUSES } from '@hookproof/spec';
import type { RunStatus } from '@hookproof/spec';
import { expect, test } from 'vitest';

import {
  impliesStart,
  isTerminal,
  RUN_TRANSITIONS,
} from '../../../server-reference/src/events/run-transitions.ts';

function from(to: RunStatus): RunStatus[] {
  return RUN_STATUSES.filter((status) => RUN_TRANSITIONS[status].includes(to));
}

test('exactly the terminal statuses of the contract have no targets', () => {
  expect(RUN_STATUSES.filter(isTerminal).toSorted()).toEqual([...TERMINAL_RUN_STATUSES].toSorted());
});

test('every open status can be cancelled, and only a run that has not started can be rejected', () => {
  expect(from('cancelled')).toEqual(RUN_STATUSES.filter((status) => !isTerminal(status)));
  expect(from('rejected').toSorted()).toEqual(['created', 'pending']);
  expect(from('completed')).toEqual(['finalizing']);
  expect(from('created')).toEqual([]);
});

test('a run waits between start and finalizing, and can fail from all three', () => {
  expect(from('pending')).toEqual(['created']);
  expect(from('running').toSorted()).toEqual(['pending', 'waiting']);
  expect(from('waiting')).toEqual(['running']);
  expect(from('finalizing').toSorted()).toEqual(['running', 'waiting']);
  expect(from('failed').toSorted()).toEqual(['finalizing', 'running', 'waiting']);
});

test('the statuses after pending imply a start, except those of a run that may never have started', () => {
  expect(RUN_STATUSES.filter(impliesStart).toSorted()).toEqual([
    'completed',
    'failed',
    'finalizing',
    'running',
    'waiting',
  ]);
});
