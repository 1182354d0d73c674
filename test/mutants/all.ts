import { accessMutants } from './access-mutants.ts';
import { datasetMutants } from './dataset-mutants.ts';
import { deliveryMutants } from './delivery-mutants.ts';
import { envelopeMutants } from './envelope-mutants.ts';
import { eventMutants } from './event-mutants.ts';
import { exportMutants } from './export-mutants.ts';
import { feedbackMutants } from './feedback-mutants.ts';
import { fileMutants } from './file-mutants.ts';
import { entryMutants, pageMutants } from './list-mutants.ts';
import { lookupMutants } from './lookup-mutants.ts';
import { moveMutants } from './move-mutants.ts';
import type { Mutant } from './mutant.ts';
import { retryMutants } from './retry-mutants.ts';
import { reviewMutants } from './review-mutants.ts';
import { uploadMutants } from './upload-mutants.ts';
import { usageMutants } from './usage-mutants.ts';
import { runReviewMutants } from './run-review-mutants.ts';
import { statusMutants } from './status-mutants.ts';

/** Every mutant of the reference server. */
export const serverMutants: readonly Mutant[] = [
  ...accessMutants,
  ...envelopeMutants,
  ...pageMutants,
  ...entryMutants,
  ...lookupMutants,
  ...reviewMutants,
  ...moveMutants,
  ...exportMutants,
  ...datasetMutants,
  ...runReviewMutants,
  ...feedbackMutants,
  ...statusMutants,
  ...deliveryMutants,
  ...eventMutants,
  ...retryMutants,
  ...fileMutants,
  ...uploadMutants,
  ...usageMutants,
];
