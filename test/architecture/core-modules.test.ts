import { posix } from 'node:path';
import { expect, test } from 'vitest';

import { CORES, LOADS_COMPILED, MAX_CORES } from './core-modules.ts';
import { readSource } from './read-source.ts';
import { readText, typescriptFiles } from './source-files.ts';

const THIS_FILE = 'test/architecture/core-modules.test.ts';
const INTERNAL = /^(spec|receiver|server-reference|conformance)\/src\//;

/** Every internal module that a test imports by value, with the tests that do. */
function importedInternals(): Map<string, string[]> {
  const internals = new Map<string, string[]>();
  for (const path of typescriptFiles('test')) {
    for (const name of readSource(path, readText(path)).valueImports) {
      const imported = posix.join(posix.dirname(path), name);
      if (!name.startsWith('.') || !INTERNAL.test(imported)) continue;
      internals.set(imported, [...(internals.get(imported) ?? []), path]);
    }
  }
  return internals;
}

/** A string with the compiled path of a room. */
const COMPILED = /(['"`])[^'"`\n]*\b(?:spec|receiver|server-reference|conformance)\/dist\b/;

test('only the listed programs load internal modules by their compiled path', () => {
  const tests = typescriptFiles('test').filter((path) => path !== THIS_FILE);
  const found = tests.filter((path) => COMPILED.test(readText(path)));
  expect(found.toSorted()).toEqual(Object.keys(LOADS_COMPILED));
});

test.each([
  ["await import(new URL('../../conformance/dist/x.js', import.meta.url).href)", true],
  ["join(ROOT, 'server-reference/dist', path)", true],
  ["import { a } from '../../spec/src/a.ts'", false],
  ["import { Ajv2020 } from 'ajv/dist/2020.js'", false],
])('a compiled path in %s: %s', (text, expected) => {
  expect(COMPILED.test(text)).toBe(expected);
});

test('tests use public exports, and of internal modules only the listed ones', () => {
  const listed = CORES.flatMap(({ modules }) => modules);
  const internals = importedInternals();
  const unlisted = [...internals]
    .filter(([module]) => !listed.includes(module))
    .map(([module, tests]) => `${module} is imported by ${tests.join(', ')}`);
  expect(unlisted).toEqual([]);
  expect(listed.filter((module) => !internals.has(module))).toEqual([]);
  expect(listed.length).toBeLessThanOrEqual(MAX_CORES);
});
