import type { Defect, Variant } from '../kit/defect.ts';
import { accessDefects } from './access.ts';
import { agentDefects } from './agents.ts';
import { conflictDefects, conflictVariants } from './conflicts.ts';
import { datasetChangeDefects } from './dataset-changes.ts';
import { downloadVariants } from './download-variants.ts';
import { envelopeVariants } from './envelope-variants.ts';
import { envelopeDefects } from './envelopes.ts';
import { exportDefects } from './exports.ts';
import { fileDefects } from './files.ts';
import { idVariants } from './id-variants.ts';
import { identityDefects } from './identity.ts';
import { inboxDefects } from './inbox.ts';
import { invalidBodyDefects } from './invalid-bodies.ts';
import { listPageDefects } from './list-pages.ts';
import { listVariants } from './list-variants.ts';
import { lookupDefects } from './lookup.ts';
import { memberDefects } from './members.ts';
import { missingOperationDefects } from './missing-operations.ts';
import { moveDefects } from './moves.ts';
import { reviewUpdateDefects } from './review-updates.ts';
import { runVariants } from './run-variants.ts';
import { runDefects, runReviewDefects } from './runs.ts';
import { shapeVariants } from './shape-variants.ts';
import { statusVariants } from './status-variants.ts';
import { successDefects } from './successes.ts';
import { trafficVariants } from './traffic-variants.ts';
import { uploadDefects } from './uploads.ts';
import { wireVariants } from './wire-variants.ts';
import { writeVariants } from './write-variants.ts';

/** Every defect of an API. */
export const apiDefects: readonly Defect[] = [
  ...accessDefects,
  ...missingOperationDefects,
  ...lookupDefects,
  ...envelopeDefects,
  ...successDefects,
  ...identityDefects,
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

/** Every freedom that an API can take. */
export const apiVariants: readonly Variant[] = [
  ...envelopeVariants,
  ...idVariants,
  ...statusVariants,
  ...trafficVariants,
  ...wireVariants,
  ...listVariants,
  ...shapeVariants,
  ...writeVariants,
  ...conflictVariants,
  ...downloadVariants,
  ...runVariants,
];
