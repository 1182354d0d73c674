import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { RecordTable } from '../../../server-reference/src/store/table.ts';

interface One {
  id: string;
  owner: string;
  at: string;
}

function table(onChange: (isStored: boolean) => void = () => {}): RecordTable<string, One> {
  const isStored = ({ owner }: One): boolean => owner !== 'temporary';
  return new RecordTable<string, One>({ idOf: ({ id }) => id, isStored, onChange });
}

const one = (id: string, owner = 'a', at = '2026'): One => ({ id, owner, at });
const text = (record: One): string => JSON.stringify(record);

describe('a table', () => {
  test.each(['__proto__', 'constructor', 'toString', ''])('is safe for the id %j', (id) => {
    const records = table();
    expect([records.get(id), records.has(id)]).toEqual([undefined, false]);
    records.add(one(id));
    expect([records.get(id), records.size]).toEqual([one(id), 1]);
    records.delete(id);
    expect([records.has(id), records.size]).toEqual([false, 0]);
  });

  test('gives the JSON of its stored records as they are now, and tells when they change', () => {
    let changes = 0;
    const records = table((isStored) => (changes += Number(isStored)));
    for (const id of ['added', 'edited', 'deleted']) records.add(one(id));
    records.add(one('temporary', 'temporary'));
    expect(changes).toBe(3);
    expect([...records.json()]).toEqual(['added', 'edited', 'deleted'].map((id) => text(one(id))));
    records.edit('edited').owner = 'b';
    records.delete('deleted');
    records.delete('unknown');
    records.edit('temporary').at = '2027';
    records.get('added');
    expect(changes).toBe(5);
    expect([...records.json()]).toEqual([one('added'), one('edited', 'b')].map(text));
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

function apply(records: RecordTable<string, One>, { kind, id, owner, at }: One & { kind: string }) {
  if (kind === 'add') records.add({ id, owner, at });
  else if (kind === 'delete') records.delete(id);
  else if (records.has(id)) Object.assign(records.edit(id), { owner, at });
}

function compare(x: string, y: string): number {
  if (x === y) return 0;
  return x < y ? -1 : 1;
}
