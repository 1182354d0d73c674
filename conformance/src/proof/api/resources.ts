import type { Defect, Variant } from '../kit/defect.ts';
import { agentDefects } from './agents.ts';
import { datasetChangeDefects } from './dataset-changes.ts';
import { conflictDefects, conflictVariants } from './conflicts.ts';
import { downloadVariants } from './download-variants.ts';
import { exportDefects } from './exports.ts';
import { fileDefects } from './files.ts';
import { inboxDefects } from './inbox.ts';
import { invalidBodyDefects } from './invalid-bodies.ts';
import { listPageDefects } from './list-pages.ts';
import { listVariants } from './list-variants.ts';
import { memberDefects } from './members.ts';
import { moveDefects } from './moves.ts';
import { reviewUpdateDefects } from './review-updates.ts';
import { runVariants } from './run-variants.ts';
import { runDefects, runReviewDefects } from './runs.ts';
import { shapeVariants } from './shape-variants.ts';
import { uploadDefects } from './uploads.ts';
import { writeVariants } from './write-variants.ts';

/** Defects of lists, reviews, moves, datasets, runs and files. */
export const resourceDefects: readonly Defect[] = [
  ...listPageDefects,
  ...inboxDefects,
  ...agentDefects,
  ...memberDefects,
  ...reviewUpdateDefects,
  ...invalidBodyDefects,
  ...moveDefects,
  ...conflictDefects,
  ...exportDefects,
  ...datasetChangeDefects,
  ...runReviewDefects,
  ...runDefects,
  ...fileDefects,
  ...uploadDefects,
];

/** Variants of the same resources. */
export const resourceVariants: readonly Variant[] = [
  ...listVariants,
  ...shapeVariants,
  ...writeVariants,
  ...conflictVariants,
  ...downloadVariants,
  ...runVariants,
];
