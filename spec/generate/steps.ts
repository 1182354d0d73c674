import { controlJson } from './control-json.ts';
import { openapiJson } from './openapi-json.ts';
import { freedomsJson, requirementsJson } from './requirements.ts';
import { signatureVectors } from './signature-vectors.ts';
import type { Step } from './step.ts';
import { controlTypes, types } from './types.ts';

/** Every generated file of the `spec` room. */
export const steps: readonly Step[] = [
  openapiJson,
  types,
  controlJson,
  controlTypes,
  requirementsJson,
  freedomsJson,
  signatureVectors,
];
