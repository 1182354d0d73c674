import { bundledControl, bundledOpenapi, bundledServer } from './bundles.ts';
import { controlJson, openapiJson, serverJson } from './types/documents.ts';
import { controlPages } from './control-page/control-page.ts';
import { freedomsPage } from './freedoms-page.ts';
import { orderingVectors } from './ordering-vectors.ts';
import { receiverConstants } from './receiver-constants.ts';
import { freedomsJson, requirementsJson } from './requirements.ts';
import { signatureVectors } from './signature-vectors.ts';
import type { Step } from './types/step.ts';
import { receiverTypes } from './types/types.ts';

/** The JSON copies of the YAML files. Every build creates them; they are not checked in. */
export const copies: readonly Step[] = [
  openapiJson,
  controlJson,
  bundledOpenapi,
  bundledControl,
  serverJson,
  bundledServer,
  requirementsJson,
  freedomsJson,
];

/** The files that `npm run generate` creates. They are checked in. */
export const products: readonly Step[] = [
  ...controlPages,
  freedomsPage,
  signatureVectors,
  orderingVectors,
  receiverTypes,
  receiverConstants,
];
