import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { DueQueue } from '../../../server-reference/src/clock/due-queue.ts';

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

/** The simple form of the same promise: a list that is sorted again after each step, ties in order of arrival. */
class SortedList {
  entries: Entry[] = [];

  add(entry: Entry): void {
    this.entries = [...this.entries, entry].toSorted((a, b) => a.dueAt - b.dueAt);
  }

  remove(removed: Entry): void {
    this.entries = this.entries.filter((entry) => entry !== removed);
  }

  takeDue(atLatest: number): Entry | undefined {
    const [first] = this.entries;
    if (first === undefined || first.dueAt > atLatest) return undefined;
    this.remove(first);
    return first;
  }
}

test('the queue equals a sorted list, whatever is added, removed and taken', () => {
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
          // Any entry that was ever added, so also one that has been taken or removed.
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
