import { join } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import { ROOT } from '../build.ts';
import { rules } from './all.ts';
import { openBench } from './lab.ts';

describe('the reference', async () => {
  const bench = await openBench(join(ROOT, 'test/mutants/targets/lab.mjs'));
  afterAll(() => bench.close());

  test('has rules with ids of their own', () => {
    const ids = rules.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test.each(rules)('keeps $id', (rule) => bench.hold(rule));
});
