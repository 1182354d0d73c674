import { defineConfig } from 'vitest/config';

import base from './vitest.config.ts';

/** The long proofs: real kills, noise, the proof of the suite, and commands that run for a while. They wait often, so two files run at a time. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/long/**/*.test.ts', 'test/**/*.long.test.ts'],
    exclude: ['**/dist/**', '**/node_modules/**'],
    maxWorkers: 2,
    isolate: true,
    testTimeout: 900_000,
    hookTimeout: 120_000,
  },
});
