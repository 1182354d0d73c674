import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/long/**', '**/dist/**', '**/node_modules/**'],
    reporters: process.env['CI'] === undefined ? ['dot'] : ['default'],
    // One less by default, which is one alone on two cores.
    maxWorkers: availableParallelism(),
    testTimeout: 20_000,
    hookTimeout: 20_000,
    server: { deps: { external: [/\/(spec|receiver|server-reference|conformance)\/dist\//] } },
  },
});
