import { defineConfig } from 'vitest/config';

import base from './vitest.config.ts';

/** The long proofs: real kills and the mutant matrix. One file at a time, so that nothing shares the cores. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/long/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    fileParallelism: false,
    isolate: true,
    testTimeout: 900_000,
    hookTimeout: 120_000,
  },
});
