import { attemptRuleMutants } from './attempt-rule-mutants.ts';
import { deliveryRuleMutants } from './delivery-rule-mutants.ts';
import { faultRuleMutants } from './fault-rule-mutants.ts';
import { leverRuleMutants } from './lever-rule-mutants.ts';
import { pathologyRuleMutants } from './pathology-rule-mutants.ts';
import { pathologyScopeRuleMutants } from './pathology-scope-rule-mutants.ts';
import { retryRuleMutants } from './retry-rule-mutants.ts';
import type { RuleMutant } from './rule-mutant.ts';
import { targetRuleMutants } from './target-rule-mutants.ts';

/** Every mutant of the sender and the levers that rules judge. */
export const ruleMutants: readonly RuleMutant[] = [
  ...retryRuleMutants,
  ...attemptRuleMutants,
  ...deliveryRuleMutants,
  ...targetRuleMutants,
  ...pathologyRuleMutants,
  ...pathologyScopeRuleMutants,
  ...faultRuleMutants,
  ...leverRuleMutants,
];
