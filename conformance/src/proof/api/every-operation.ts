import type { Defect, Variant } from '../kit/defect.ts';
import { accessDefects } from './access.ts';
import { envelopeDefects } from './envelopes.ts';
import { identityDefects } from './identity.ts';
import { lookupDefects } from './lookup.ts';
import { missingOperationDefects } from './missing-operations.ts';
import { successDefects } from './successes.ts';
import { envelopeVariants } from './variants/envelopes.ts';
import { idVariants } from './variants/ids.ts';
import { statusVariants } from './variants/statuses.ts';
import { trafficVariants } from './variants/traffic.ts';
import { wireVariants } from './variants/wire.ts';

/** Defects that any operation can have: in access, lookup, errors and the form of a response. */
export const operationDefects: readonly Defect[] = [
  ...accessDefects,
  ...missingOperationDefects,
  ...lookupDefects,
  ...envelopeDefects,
  ...successDefects,
  ...identityDefects,
];

/** Freedoms that any operation can take. */
export const operationVariants: readonly Variant[] = [
  ...envelopeVariants,
  ...idVariants,
  ...statusVariants,
  ...trafficVariants,
  ...wireVariants,
];
