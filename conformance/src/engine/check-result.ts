import type { Check } from '../check-kit/check.ts';
import type { Finding } from '../verdict/findings.ts';

/** The finding of one selected check. */
export interface CheckResult {
  readonly check: Check;
  readonly finding: Finding;
  /** How long its attempts ran; 0 for a check that did not run. */
  readonly durationMilliseconds: number;
}
