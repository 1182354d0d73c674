import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';
import type { TestProjectConfiguration } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** File for a JSON report beside the usual output; `.ci/run` counts the tests in it. */
const report = process.env['TEST_REPORT'];

const SYSTEM = 'test/**/*.system.test.ts';
const LONG = 'test/**/*.long.test.ts';

/** A group of test files; the suffix of a file says which one it is in. `docs/decisions/tests.md` has the reasons. */
function group(
  name: string,
  include: string,
  exclude: readonly string[],
  options: object = {},
): TestProjectConfiguration {
  return {
    extends: true,
    test: { name, include: [include], exclude: ['**/node_modules/**', ...exclude], ...options },
  };
}

const withPrograms = { globalSetup: ['test/services/missing-programs.ts'] };

/**
 * Outside of `npm test` the shortest files start first: a few lines that run a whole catalogue take minutes, and the run
 * would end with them one by one. The longest first is right for the others, and the default.
 */
class ShortestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const shortestFirst = files.toSorted((a, b) => sizeOf(a) - sizeOf(b));
    const isUnit = files.some(({ project }) => project.name === 'unit');
    return isUnit ? shortestFirst.toReversed() : shortestFirst;
  }
}

/**
 * Packages load their compiled modules, so a test that imports a source gets its compiled module too: one instance of
 * each, and nothing to transform. `npm run build` comes first.
 */
const compiled = {
  find: /^((?:\.\.\/)+(?:spec|receiver|server-reference|conformance))\/src\/(.*)\.ts$/,
  replacement: '$1/dist/$2.js',
};

function sizeOf({ moduleId }: TestSpecification): number {
  return statSync(moduleId).size;
}

export default defineConfig({
  resolve: { alias: [compiled] },
  test: {
    projects: [
      group('unit', 'test/**/*.test.ts', [SYSTEM, LONG]),
      group('system', SYSTEM, [], {
        ...withPrograms,
        testTimeout: 600_000,
        hookTimeout: 300_000,
      }),
      group('long', LONG, [], {
        ...withPrograms,
        isolate: true,
        testTimeout: 1_800_000,
        hookTimeout: 300_000,
      }),
    ],
    reporters: [
      process.env['CI'] === undefined ? 'dot' : 'default',
      ...(report === undefined ? [] : (['json'] as const)),
    ],
    ...(report === undefined ? {} : { outputFile: { json: report } }),
    // Two more than cores, because many tests wait for a process, a socket or a deadline.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: ShortestFirst },
    // A worker keeps its modules from file to file, which saves half of the time. So a test must restore what it changes.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // These bound a test that hangs. A busy machine must not fail one, so they are far above what a test takes.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 90_000 } },
    server: { deps: { external: [/\/(spec|receiver|server-reference|conformance|bin)\/dist\//] } },
  },
});
