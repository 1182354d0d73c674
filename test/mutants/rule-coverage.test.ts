import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { ROOT } from '../compiled-program.ts';
import { ruleMutants } from './rule-mutants.ts';
import { rules } from './rules/all.ts';

describe('the rule mutants', () => {
  test('have ids of their own', () => {
    const ids = ruleMutants.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test.each(ruleMutants)('$id: the text to replace is there, once', ({ file, find, replace }) => {
    expect(readFileSync(join(ROOT, file), 'utf8').split(find)).toHaveLength(2);
    expect(replace).not.toBe(find);
  });

  test('break rules that exist, and each at least one', () => {
    const known = new Set(rules.map(({ id }) => id));
    expect(ruleMutants.flatMap(({ breaks }) => breaks).filter((id) => !known.has(id))).toEqual([]);
    const idle = ruleMutants.filter(({ breaks }) => breaks.length === 0);
    expect(idle.map(({ id }) => id)).toEqual([]);
  });

  test('break every rule: one that none of them breaks could as well not be there', () => {
    const broken = new Set(ruleMutants.flatMap(({ breaks }) => breaks));
    const idle = rules.filter(({ id }) => !broken.has(id)).map(({ id }) => id);
    expect(idle).toEqual([]);
  });
});
