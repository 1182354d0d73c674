import { afterAll, describe, expect, test } from 'vitest';

import { rules } from './all.ts';
import { openBench } from './lab.ts';
import { openProcess } from './servers.ts';

describe('the reference', async () => {
  const process = openProcess();
  afterAll(() => process.kill());
  const bench = await openBench(process);

  test('has rules with ids of their own', () => {
    const ids = rules.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test.each(rules)('keeps $id', (rule) => bench.hold(rule));
});
