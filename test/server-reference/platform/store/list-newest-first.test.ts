import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { listNewestFirst } from '../../../../server-reference/src/platform/store/records.ts';

interface Listed {
  readonly id: string;
  readonly tenantId: string;
  readonly createdAt: string;
}

const record = fc.record<Listed>({
  id: fc.uuid(),
  tenantId: fc.constantFrom('tenant_1', 'tenant_2'),
  createdAt: fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-03'),
});

test('any order of arrival gives the same lists: newest first, then by id, by tenant', () => {
  fc.assert(
    fc.property(fc.uniqueArray(record, { selector: ({ id }) => id }), (arrivals) => {
      const records: Record<string, Listed> = {};
      const listed: Record<string, string[]> = {};
      for (const one of arrivals) listNewestFirst(one, records, listed);
      for (const tenantId of ['tenant_1', 'tenant_2']) {
        const expected = arrivals
          .filter((one) => one.tenantId === tenantId)
          .toSorted((a, b) => compare(b.createdAt, a.createdAt) || compare(a.id, b.id))
          .map(({ id }) => id);
        expect(listed[tenantId] ?? []).toEqual(expected);
      }
    }),
  );
});

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
