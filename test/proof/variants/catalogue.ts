import type { Variant } from '@hookproof/conformance/proof';

import { conflictVariants } from './api/conflict-variants.ts';
import { downloadVariants } from './api/download-variants.ts';
import { envelopeVariants } from './api/envelope-variants.ts';
import { idVariants } from './api/id-variants.ts';
import { listVariants } from './api/list-variants.ts';
import { runVariants } from './api/run-variants.ts';
import { shapeVariants } from './api/shape-variants.ts';
import { statusVariants as apiStatusVariants } from './api/status-variants.ts';
import { trafficVariants } from './api/traffic-variants.ts';
import { wireVariants } from './api/wire-variants.ts';
import { writeVariants } from './api/write-variants.ts';
import { clockVariants } from './receiver/clock-variants.ts';
import { loadVariants } from './receiver/load-variants.ts';
import { observerVariants } from './receiver/observer-variants.ts';
import { statusVariants as receiverStatusVariants } from './receiver/status-variants.ts';
import { strictnessVariants } from './receiver/strictness-variants.ts';
import { arrivalVariants } from './sender/arrivals.ts';
import { deliveryFreedoms } from './sender/delivery-freedoms.ts';
import { deploymentVariants } from './sender/deployments.ts';
import { ownTransitionVariants } from './sender/own-transitions.ts';
import { runFreedoms } from './sender/run-freedoms.ts';
import { signingVariants } from './sender/signing.ts';
import { spellingVariants } from './sender/spellings.ts';

/** Every use of a freedom that the suite must accept. */
export const variants: readonly Variant[] = [
  ...envelopeVariants,
  ...idVariants,
  ...apiStatusVariants,
  ...trafficVariants,
  ...wireVariants,
  ...listVariants,
  ...shapeVariants,
  ...writeVariants,
  ...conflictVariants,
  ...downloadVariants,
  ...runVariants,
  ...receiverStatusVariants,
  ...loadVariants,
  ...clockVariants,
  ...strictnessVariants,
  ...observerVariants,
  ...signingVariants,
  ...spellingVariants,
  ...runFreedoms,
  ...deliveryFreedoms,
  ...arrivalVariants,
  ...ownTransitionVariants,
  ...deploymentVariants,
];
