import { accessMutants } from './access-mutants.ts';
import { deliveryMutants } from './delivery-mutants.ts';
import { envelopeMutants } from './envelope-mutants.ts';
import { eventMutants } from './event-mutants.ts';
import { entryMutants, pageMutants } from './list-mutants.ts';
import { lookupMutants } from './lookup-mutants.ts';
import { moveMutants } from './move-mutants.ts';
import type { Mutant } from './mutant.ts';
import { retryMutants } from './retry-mutants.ts';
import { reviewMutants } from './review-mutants.ts';

/** Every mutant of the reference server. */
export const serverMutants: readonly Mutant[] = [
  ...accessMutants,
  ...envelopeMutants,
  ...pageMutants,
  ...entryMutants,
  ...lookupMutants,
  ...reviewMutants,
  ...moveMutants,
  ...deliveryMutants,
  ...eventMutants,
  ...retryMutants,
];
