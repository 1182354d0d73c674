import { accessMutants } from './access-mutants.ts';
import { envelopeMutants } from './envelope-mutants.ts';
import { entryMutants, pageMutants } from './list-mutants.ts';
import { moveMutants } from './move-mutants.ts';
import type { Mutant } from './mutant.ts';
import { reviewMutants } from './review-mutants.ts';
import { deliveryMutants, eventMutants, retryMutants } from './sender-mutants.ts';

/** Every mutant of the reference server. */
export const serverMutants: readonly Mutant[] = [
  ...accessMutants,
  ...envelopeMutants,
  ...pageMutants,
  ...entryMutants,
  ...reviewMutants,
  ...moveMutants,
  ...deliveryMutants,
  ...eventMutants,
  ...retryMutants,
];
