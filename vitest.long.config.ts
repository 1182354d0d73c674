import { mergeConfig } from 'vitest/config';

import base from './vitest.config.ts';

/** The long proofs: real kills and the mutant matrix. One file at a time, so that figures are not shared. */
export default mergeConfig(base, {
  test: {
    include: ['test/long/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    testTimeout: 600_000,
  },
});
