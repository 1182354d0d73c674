import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { DueQueue } from '../../../../server-reference/src/platform/clock/due-queue.ts';

interface Entry {
  readonly dueAt: number;
}

type Step =
  | { readonly kind: 'add'; readonly dueAt: number }
  | { readonly kind: 'remove'; readonly nth: number }
  | { readonly kind: 'take'; readonly atLatest: number };

const dueAt = fc.nat({ max: 40 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('add' as const), dueAt }), weight: 4 },
  fc.record({ kind: fc.constant('remove' as const), nth: fc.nat({ max: 60 }) }),
  fc.record({ kind: fc.constant('take' as const), atLatest: dueAt }),
);

/** The plain form of the same promise: a list that is sorted anew after each step, ties as they came. */
class SortedList {
  entries: Entry[] = [];

  add(entry: Entry): void {
    this.entries = [...this.entries, entry].toSorted((a, b) => a.dueAt - b.dueAt);
  }

  remove(wanted: Entry): void {
    this.entries = this.entries.filter((entry) => entry !== wanted);
  }

  takeDue(atLatest: number): Entry | undefined {
    const [first] = this.entries;
    if (first === undefined || first.dueAt > atLatest) return undefined;
    this.remove(first);
    return first;
  }
}

test('does what a sorted list does, whatever is added, removed and taken', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
      const queue = new DueQueue<Entry>();
      const list = new SortedList();
      const added: Entry[] = [];
      for (const one of steps) {
        if (one.kind === 'add') {
          const entry = { dueAt: one.dueAt };
          added.push(entry);
          queue.add(entry);
          list.add(entry);
        } else if (one.kind === 'remove') {
          // Of what was ever added, so also what has been taken or removed before.
          const entry = added[one.nth % Math.max(1, added.length)] ?? { dueAt: 0 };
          queue.remove(entry);
          list.remove(entry);
        } else {
          expect(queue.takeDue(one.atLatest)).toBe(list.takeDue(one.atLatest));
        }
        expect(queue.nextDueAt).toBe(list.entries[0]?.dueAt);
      }
      while (list.entries.length > 0) expect(queue.takeDue(99)).toBe(list.takeDue(99));
      expect(queue.takeDue(99)).toBeUndefined();
    }),
    { numRuns: 300 },
  );
});

test('what was taken may be added once more, and then stands last among its like', () => {
  const queue = new DueQueue<Entry>();
  const [first, second] = [{ dueAt: 1 }, { dueAt: 1 }];
  queue.add(first);
  queue.add(second);
  expect(queue.takeDue(1)).toBe(first);
  queue.add(first);
  expect([queue.takeDue(1), queue.takeDue(1), queue.takeDue(1)]).toEqual([
    second,
    first,
    undefined,
  ]);
});
