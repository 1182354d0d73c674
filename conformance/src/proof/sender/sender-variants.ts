import type { Variant } from '../kit/defect.ts';
import { arrivalVariants } from './arrivals.ts';
import { deliveryFreedoms } from './delivery-freedoms.ts';
import { deploymentVariants } from './deployments.ts';
import { ownTransitionVariants } from './own-transitions.ts';
import { runFreedoms } from './run-freedoms.ts';
import { signatureVariants } from './signatures.ts';
import { spellingVariants } from './spellings.ts';
import { timestampVariants } from './timestamps.ts';

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
