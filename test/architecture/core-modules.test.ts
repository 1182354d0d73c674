import { posix } from 'node:path';
import { expect, test } from 'vitest';

import { CORES, MAX_CORES } from './core-modules.ts';
import { readSource } from './read-source.ts';
import { readText, typescriptFiles } from './source-files.ts';

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
