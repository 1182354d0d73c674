import { RUN_STATUSES, TERMINAL_RUN_STATUSES } from '@hookproof/spec';
import type { RunStatus } from '@hookproof/spec';
import { expect, test } from 'vitest';

import {
  isTerminal,
  RUN_TRANSITIONS,
} from '../../../server-reference/src/platform/state/run-transitions.ts';

function from(to: RunStatus): RunStatus[] {
  return RUN_STATUSES.filter((status) => RUN_TRANSITIONS[status].includes(to));
}

test('every status has its row, and every target is a status', () => {
  expect(Object.keys(RUN_TRANSITIONS).toSorted()).toEqual([...RUN_STATUSES].toSorted());
  for (const targets of Object.values(RUN_TRANSITIONS)) {
    expect(RUN_STATUSES).toEqual(expect.arrayContaining([...targets]));
    expect(new Set(targets).size).toBe(targets.length);
  }
});

test('the terminal statuses of the contract, and only they, lead nowhere', () => {
  expect(RUN_STATUSES.filter(isTerminal).toSorted()).toEqual([...TERMINAL_RUN_STATUSES].toSorted());
});

test('every open status can be cancelled, only an unstarted run can be rejected', () => {
  expect(from('cancelled')).toEqual(RUN_STATUSES.filter((status) => !isTerminal(status)));
  expect(from('rejected').toSorted()).toEqual(['created', 'pending']);
  expect(from('completed')).toEqual(['finalizing']);
  expect(from('created')).toEqual([]);
});
