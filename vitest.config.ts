import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

import { SlowFilesFirst } from './test/slow-files-first.ts';

/** File for a JSON report beside the usual output; `.ci/run` counts the tests in it. */
const report = process.env['TEST_REPORT'];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/services/missing-servers.ts'],
    exclude: ['test/long/**', '**/*.long.test.ts', '**/dist/**', '**/node_modules/**'],
    reporters: [
      process.env['CI'] === undefined ? 'dot' : 'default',
      ...(report === undefined ? [] : (['json'] as const)),
    ],
    ...(report === undefined ? {} : { outputFile: { json: report } }),
    // Two more than cores, because many tests wait for a process, a socket or a deadline.
    maxWorkers: availableParallelism() + 2,
    // A worker keeps its modules from file to file, which saves half of the time. So a test must restore what it changes.
    isolate: false,
    sequence: { sequencer: SlowFilesFirst },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // These bound a test that hangs. A busy machine must not fail one, so they are far above what a test takes.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    server: { deps: { external: [/\/(spec|receiver|server-reference|conformance|bin)\/dist\//] } },
  },
});
