import { describe, expect, test } from 'vitest';

import { Table } from '../../../server-reference/src/store/table.ts';

interface One {
  id: string;
  owner: string;
  at: string;
}

function table(onChange: (id: string) => void = () => {}): Table<string, One> {
  return new Table<string, One>(({ id }) => id, onChange);
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

  test('gives the JSON of its records as they are now, and tells when they change', () => {
    let changes = 0;
    const records = table(() => (changes += 1));
    for (const id of ['added', 'edited', 'deleted']) records.add(one(id));
    expect(changes).toBe(3);
    expect([...records.json()]).toEqual(['added', 'edited', 'deleted'].map((id) => text(one(id))));
    records.edit('edited').owner = 'b';
    records.delete('deleted');
    records.delete('unknown');
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
    expect(records.filter(({ owner }) => owner === 'a')).toEqual([one('b')]);
    expect(records.find(({ owner }) => owner === 'z')).toEqual(one('c', 'z'));
  });
});
