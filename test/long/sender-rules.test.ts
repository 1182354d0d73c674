import { afterAll, describe, expect, test } from 'vitest';

import { openRuleMatrix } from '../mutants/rule-matrix.ts';
import { ruleMutants } from '../mutants/rule-mutants.ts';
import { rules } from '../mutants/rules/all.ts';

const PATIENCE = { timeout: 900_000 };

const matrix = openRuleMatrix();
afterAll(() => matrix.close());

describe.concurrent('a server with one defect breaks the predicted rules', () => {
  test.each(ruleMutants)('$id', PATIENCE, async ({ breaks, ...patch }) => {
    const broken = await matrix.brokenBy(patch, rules);
    expect([...broken.keys()].toSorted()).toEqual(breaks.toSorted());
  });
});
