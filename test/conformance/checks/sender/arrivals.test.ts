import { array, assert, constantFrom, property, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { isChain, missingStatuses } from '../../../../conformance/src/checks/sender/arrivals.ts';
import type {
  Arrivals,
  ReportedTransition,
} from '../../../../conformance/src/checks/sender/arrivals.ts';

function walk(...statuses: readonly string[]): readonly ReportedTransition[] {
  return statuses.slice(1).map((to, index) => ({ from: statuses[index] ?? '', to }));
}

/** The definition: some order of the transitions is a walk. */
function isChainByTrying(first: string, transitions: readonly ReportedTransition[]): boolean {
  return (
    transitions.length === 0 ||
    transitions.some(
      ({ from, to }, index) =>
        from === first && isChainByTrying(to, transitions.toSpliced(index, 1)),
    )
  );
}

describe('a chain of changes', () => {
  test.each([
    ['no change', 'pending', []],
    ['a walk', 'pending', walk('pending', 'running', 'completed')],
    ['a walk that returns', 'a', walk('a', 'b', 'a')],
    ['changes out of order', 'a', walk('a', 'b', 'c', 'b', 'd').toReversed()],
  ] as const)('is there for %s', (_, first, transitions) => {
    expect(isChain(first, transitions)).toBe(true);
  });

  test.each([
    ['another first status', 'created', walk('pending', 'running')],
    ['a missing link', 'a', [...walk('a', 'b'), ...walk('c', 'd')]],
    ['a circle apart', 'a', [...walk('a', 'b'), ...walk('c', 'd', 'c')]],
    ['a circle elsewhere', 'a', walk('b', 'b')],
    ['a change twice', 'a', [...walk('a', 'b'), ...walk('a', 'b')]],
  ] as const)('is not there for %s', (_, first, transitions) => {
    expect(isChain(first, transitions)).toBe(false);
  });

  test('is what trying every order finds', () => {
    const status = constantFrom('a', 'b', 'c', 'd');
    const transitions = array(
      tuple(status, status).map(([from, to]) => ({ from, to })),
      { maxLength: 7 },
    );
    assert(
      property(status, transitions, (first, found) => {
        expect(isChain(first, found)).toBe(isChainByTrying(first, found));
      }),
    );
  });
});

const RUN = { id: 'run_1' };

/** A run that waits many times, each change delivered once. */
function arrivalsOf(transitions: readonly ReportedTransition[]): Arrivals {
  return transitions.map(({ from, to }, index) => {
    const event = {
      id: `whev_${index}`,
      type: 'run.status_changed',
      createdAt: new Date(index).toISOString(),
      data: { previousStatus: from, currentStatus: to, run: { ...RUN, status: to } },
    };
    return {
      method: 'POST',
      url: '/',
      headers: [],
      body: Buffer.from(JSON.stringify(event)),
      arrivedAt: index,
      header: () => undefined,
      event,
      attempts: () => [],
      response: { status: 204 },
    };
  });
}

test('a run that waits 500 times and loses one event is judged', () => {
  const waits = Array.from({ length: 500 }, () => ['running', 'waiting'] as const).flat();
  const all = walk('pending', ...waits, 'running', 'completed');
  const lossy = all.toSpliced(500, 1);
  expect(isChain('pending', all)).toBe(true);
  expect(isChain('pending', lossy)).toBe(false);
  expect(missingStatuses(arrivalsOf(lossy), RUN, [...waits, 'running', 'completed'])).toEqual([
    all[500]?.to,
  ]);
});
