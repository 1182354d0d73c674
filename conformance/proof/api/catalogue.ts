import type { Defect } from '../kit/defect.ts';
import { accessDefects } from './access.ts';
import { agentDefects } from './agents.ts';
import { conflictDefects } from './conflicts.ts';
import { datasetChangeDefects } from './dataset-changes.ts';
import { envelopeDefects } from './envelopes.ts';
import { exportDefects } from './exports.ts';
import { fileDefects } from './files.ts';
import { identityDefects } from './identity.ts';
import { inboxDefects } from './inbox.ts';
import { invalidBodyDefects } from './invalid-bodies.ts';
import { listPageDefects } from './list-pages.ts';
import { lookupDefects } from './lookup.ts';
import { memberDefects } from './members.ts';
import { missingOperationDefects } from './missing-operations.ts';
import { moveDefects } from './moves.ts';
import { reviewUpdateDefects } from './review-updates.ts';
import { runDefects, runReviewDefects } from './runs.ts';
import { successDefects } from './successes.ts';
import { uploadDefects } from './uploads.ts';

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
