import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checks } from '@hookproof/conformance';
import { loadRequirements } from '@hookproof/spec/requirements';
import { describe, expect, test } from 'vitest';

import { ROOT } from '../compiled-program.ts';
import { serverMutants } from './all.ts';
import { build } from './build.ts';
import { receiverMutants } from './receiver-mutants.ts';
import { receiverVariants, serverVariants } from './variants.ts';

const mutants = [...serverMutants, ...receiverMutants];
const patches = [...mutants, ...serverVariants, ...receiverVariants];

describe('the mutants', () => {
  test('ids are unique', () => {
    const ids = patches.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test.each(patches)('$id: the text to replace occurs once', ({ file, find, replace }) => {
    expect(readFileSync(join(ROOT, file), 'utf8').split(find)).toHaveLength(2);
    expect(replace).not.toBe(find);
  });

  test('a build fails if the text to replace does not occur once', () => {
    const patch = {
      id: 'nowhere',
      file: 'server-reference/dist/index.js',
      find: 'no such text',
      replace: '',
    };
    expect(() => build('server-reference', patch)).toThrow(
      'nowhere: the text to replace must occur once in server-reference/dist/index.js, it occurs 0 times',
    );
  });

  test('every predicted failure is a check that exists', () => {
    const known = new Set(checks.map(({ id }) => id));
    expect(mutants.flatMap(({ fails }) => fails).filter((id) => !known.has(id))).toEqual([]);
  });

  test('every check fails on at least one mutant', () => {
    const failing = new Set(mutants.flatMap(({ fails }) => fails));
    const idle = checks.filter(({ id }) => !failing.has(id)).map(({ id }) => id);
    expect(idle).toEqual([]);
  });

  test('the outcome is violated if and only if a must fails', () => {
    const keywords = new Map(loadRequirements().map(({ id, keyword }) => [id, keyword]));
    const musts = new Set(
      checks
        .filter(({ requirements: [primary] }) => keywords.get(primary) === 'must')
        .map(({ id }) => id),
    );
    const wrong = mutants.filter(
      ({ fails, outcome = 'violated' }) =>
        fails.some((id) => musts.has(id)) !== (outcome === 'violated'),
    );
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });
});
