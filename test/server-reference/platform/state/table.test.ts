import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { RecordTable } from '../../../../server-reference/src/platform/state/table.ts';

interface One {
  id: string;
  owner: string;
  at: string;
}

function table(): RecordTable<string, One> {
  return new RecordTable<string, One>(({ id }) => id, null);
}

const one = (id: string, owner = 'a', at = '2026'): One => ({ id, owner, at });

describe('a table', () => {
  test.each(['__proto__', 'constructor', 'toString', ''])('is safe for the id %j', (id) => {
    const records = table();
    expect([records.get(id), records.has(id)]).toEqual([undefined, false]);
    records.add(one(id));
    expect([records.get(id), records.size]).toEqual([one(id), 1]);
    records.delete(id);
    expect([records.has(id), records.size]).toEqual([false, 0]);
  });

  test('names what was added, edited and deleted since the last call with what it was before, and nothing that was read', () => {
    const records = table();
    records.load(one('loaded'));
    const changes = records.track();
    for (const id of ['added', 'edited', 'deleted', 'read']) records.add(one(id));
    expect([...changes.take()]).toEqual([
      ['added', undefined],
      ['edited', undefined],
      ['deleted', undefined],
      ['read', undefined],
    ]);
    changes.settle();
    records.edit('edited').owner = 'b';
    records.delete('deleted');
    records.delete('unknown');
    records.get('read');
    expect([...records.values()]).toHaveLength(4);
    expect([...changes.take()]).toEqual([
      ['edited', one('edited')],
      ['deleted', one('deleted')],
    ]);
    expect([...changes.take()]).toEqual([]);
  });

  test('refuses to edit an unknown record', () => {
    expect(() => table().edit('x')).toThrow(new RangeError('No record has the id x.'));
  });

  test('returns records in the order in which they were added, also after a replacement', () => {
    const records = table();
    for (const id of ['c', 'a', 'b']) records.add(one(id));
    records.add(one('c', 'z'));
    records.deleteWhere(({ id }) => id === 'a');
    expect([...records.values()]).toEqual([one('c', 'z'), one('b')]);
  });
});

const change = fc.record({
  kind: fc.constantFrom('add', 'add', 'edit', 'delete'),
  id: fc.integer({ min: 0, max: 150 }).map(String),
  owner: fc.constantFrom('a', 'b'),
  at: fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-03'),
});

describe('indexes follow every change, whenever they are read', () => {
  test.each(['ascending', 'descending'] as const)('an ordered one, %s', (order) => {
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 100 }), { maxLength: 5 }), (batches) => {
        const records = table();
        const listed = records.ordered({ owner: (of) => of.owner, key: ({ at }) => at }, order);
        for (const batch of batches) {
          for (const each of batch) apply(records, each);
          for (const owner of ['a', 'b', '__proto__']) {
            const sign = order === 'ascending' ? 1 : -1;
            const expected = [...records.values()]
              .filter((of) => of.owner === owner)
              .toSorted((x, y) => sign * compare(x.at, y.at) || compare(x.id, y.id));
            expect(listed.of(owner)).toEqual(expected.map(({ id }) => id));
          }
        }
      }),
    );
  });

  test('a grouped one', () => {
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 20 }), { maxLength: 5 }), (batches) => {
        const records = table();
        const groups = records.grouped(({ owner, at }) => (owner === 'a' ? at : null));
        for (const batch of batches) {
          for (const each of batch) apply(records, each);
          for (const at of ['2026-01-01', '2026-01-02']) {
            const expected = [...records.values()].filter((of) => of.owner === 'a' && of.at === at);
            expect([...groups.of(at)].toSorted(compare)).toEqual(
              expected.map(({ id }) => id).toSorted(compare),
            );
          }
        }
      }),
    );
  });
});

describe('changes', () => {
  test('are taken back to what was settled, in records and indexes', () => {
    const batches = fc.array(fc.array(change, { maxLength: 20 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(batches, ([settled = [], taken = [], untaken = []]) => {
        const records = table();
        const listed = records.ordered(
          { owner: (of) => of.owner, key: ({ at }) => at },
          'ascending',
        );
        const changes = records.track();
        for (const each of settled) apply(records, each);
        changes.take();
        changes.settle();
        const before = structuredClone([...records.values()]);
        const lists = structuredClone(['a', 'b'].map((owner) => listed.of(owner)));
        for (const each of taken) apply(records, each);
        changes.take();
        for (const each of untaken) apply(records, each);
        changes.undo();
        expect([...records.values()]).toEqual(before);
        expect(records.size).toBe(before.length);
        expect(['a', 'b'].map((owner) => listed.of(owner))).toEqual(lists);
        expect([...changes.take()]).toEqual([]);
      }),
    );
  });

  test('that are taken back leave groups and histories in the order of the records', () => {
    const records = table();
    const groups = records.grouped(({ owner }) => owner);
    const history = records.history(
      ({ owner }) => owner === 'a',
      () => ({ bytes: 1, largeBytes: 0 }),
    );
    const changes = records.track();
    for (const id of ['1', '2', '3']) records.add(one(id));
    changes.take();
    changes.settle();
    records.delete('1');
    records.edit('2').owner = 'b';
    expect([...groups.of('a')]).toEqual(['3']);
    changes.take();
    records.delete('3');
    expect([...history.entries()]).toEqual([]);
    changes.undo();
    expect([...groups.of('a')]).toEqual(['1', '2', '3']);
    expect([...groups.of('b')]).toEqual([]);
    expect([...history.entries()].map(([id]) => id)).toEqual(['1', '2', '3']);
  });

  test('that are stored give up the places of deleted records', () => {
    const records = table();
    const changes = records.track();
    for (const id of ['1', '2']) records.add(one(id));
    changes.take();
    changes.settle();
    records.delete('1');
    expect([[...records.values()], records.size, records.has('1')]).toEqual([[one('2')], 1, false]);
    changes.take();
    changes.settle();
    records.add(one('1'));
    expect([...records.values()]).toEqual([one('2'), one('1')]);
  });

  test('do not change frozen records, whenever these are read', () => {
    const batches = fc.array(fc.array(change, { maxLength: 20 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(batches, fc.nat(10), ([first = [], second = [], third = []], pause) => {
        const records = table();
        const changes = records.track();
        for (const each of first) apply(records, each);
        const before = new Map([...records.values()].map((of) => [of.id, structuredClone(of)]));
        const frozen = changes.freeze();
        for (const each of second) apply(records, each);
        const read = new Map<string, unknown>();
        for (const record of frozen.values()) {
          read.set((record as One).id, structuredClone(record));
          if (read.size === pause) for (const each of third) apply(records, each);
        }
        frozen.release();
        expect(read).toEqual(before);
      }),
    );
  });
});

function apply(records: RecordTable<string, One>, { kind, id, owner, at }: One & { kind: string }) {
  if (kind === 'add') records.add({ id, owner, at });
  else if (kind === 'delete') records.delete(id);
  else if (records.has(id)) Object.assign(records.edit(id), { owner, at });
}

function compare(x: string, y: string): number {
  if (x === y) return 0;
  return x < y ? -1 : 1;
}
