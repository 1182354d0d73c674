import { defineConfig } from 'vitest/config';

import base from './vitest.config.ts';

/** The long proofs: real kills, noise, the proof of the suite, and commands that run for a while. One file at a time. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/long/**/*.test.ts', 'test/**/*.long.test.ts'],
    exclude: ['**/dist/**', '**/node_modules/**'],
    fileParallelism: false,
    isolate: true,
    testTimeout: 900_000,
    hookTimeout: 120_000,
  },
});
