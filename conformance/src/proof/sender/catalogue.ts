import type { Defect, Variant } from '../kit/defect.ts';
import { arrivalVariants } from './arrivals.ts';
import { changeDefects } from './changes.ts';
import { deliveryFreedoms } from './delivery-freedoms.ts';
import { deploymentVariants } from './deployments.ts';
import { endpointDefects } from './endpoints.ts';
import { envelopeDefects } from './envelopes.ts';
import { headerDefects } from './headers.ts';
import { kindDefects } from './kinds.ts';
import { ownTransitionVariants } from './own-transitions.ts';
import { retryDefects } from './retries.ts';
import { runFreedoms } from './run-freedoms.ts';
import { outputDefects } from './run-outputs.ts';
import { runTypeDefects } from './run-types.ts';
import { runDefects } from './runs.ts';
import { scheduleDefects } from './schedules.ts';
import { signatureDefects, signatureVariants } from './signatures.ts';
import { silenceDefects } from './silences.ts';
import { spellingVariants } from './spellings.ts';
import { timestampDefects, timestampVariants } from './timestamps.ts';

/** Senders with exactly one defect. */
export const senderDefects: readonly Defect[] = [
  ...headerDefects,
  ...timestampDefects,
  ...signatureDefects,
  ...envelopeDefects,
  ...runDefects,
  ...runTypeDefects,
  ...outputDefects,
  ...silenceDefects,
  ...changeDefects,
  ...endpointDefects,
  ...retryDefects,
  ...kindDefects,
  ...scheduleDefects,
];

/** Valid senders that leave the habits of the reference server. */
export const senderVariants: readonly Variant[] = [
  ...timestampVariants,
  ...signatureVariants,
  ...spellingVariants,
  ...runFreedoms,
  ...deliveryFreedoms,
  ...arrivalVariants,
  ...ownTransitionVariants,
  ...deploymentVariants,
];
