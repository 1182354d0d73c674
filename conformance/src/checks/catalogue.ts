import type { Check } from '../check.ts';

/** Every check of the suite, in the order of the report. */
export const checks: readonly Check[] = [];
