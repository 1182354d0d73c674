import { describe, expect, test } from 'vitest';

import { differences } from './find-defect.ts';
import type { Defect } from './find-defect.ts';

const patch = { id: 'one', file: 'server-reference/dist/index.js', find: 'a', replace: 'b' };
const mutant: Defect = {
  room: 'server-reference',
  kind: 'mutant',
  patch: { ...patch, defect: 'Something is wrong.', fails: ['api.a', 'api.b'] },
};
const variant: Defect = {
  room: 'server-reference',
  kind: 'variant',
  patch: { ...patch, freedom: 'Something differs.', notApplicable: ['api.c'] },
};

describe('the differences of a mutant', () => {
  test('are failures that are missing and failures that are not predicted', () => {
    const verdicts = new Map([
      ['api.a', 'fail'],
      ['api.b', 'pass'],
      ['api.c', 'advice'],
      ['api.d', 'not-applicable'],
    ]);
    expect(differences(mutant, verdicts)).toEqual([
      'api.b must fail, got pass',
      'api.c must not fail, got advice',
    ]);
  });

  test('leave out checks that did not run', () => {
    expect(differences(mutant, new Map([['api.a', 'info']]))).toEqual([]);
  });
});

describe('the differences of a variant', () => {
  test('are all verdicts but pass and the listed not-applicable', () => {
    const verdicts = new Map([
      ['api.a', 'pass'],
      ['api.b', 'inconclusive'],
      ['api.c', 'not-applicable'],
      ['api.d', 'fail'],
    ]);
    expect(differences(variant, verdicts)).toEqual([
      'api.b must be pass, got inconclusive',
      'api.d must not fail, got fail',
    ]);
  });
});
