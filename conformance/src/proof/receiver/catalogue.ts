import type { Defect, Variant } from '../kit/defect.ts';
import { bodyDefects } from './body-defects.ts';
import { clockVariants } from './clock-variants.ts';
import { duplicateDefects } from './duplicate-defects.ts';
import { effectDefects } from './effect-defects.ts';
import { eventDefects } from './event-defects.ts';
import { loadVariants } from './load-variants.ts';
import { observerVariants } from './observer-variants.ts';
import { otherDefects } from './other-defects.ts';
import { signatureDefects } from './signature-defects.ts';
import { statusVariants } from './status-variants.ts';
import { strictnessVariants } from './strictness-variants.ts';
import { timestampDefects } from './timestamp-defects.ts';

/** Receivers with one defect each. */
export const receiverDefects: readonly Defect[] = [
  ...signatureDefects,
  ...timestampDefects,
  ...bodyDefects,
  ...eventDefects,
  ...duplicateDefects,
  ...effectDefects,
  ...otherDefects,
];

/** Valid receivers that use a freedom each. */
export const receiverVariants: readonly Variant[] = [
  ...statusVariants,
  ...loadVariants,
  ...clockVariants,
  ...strictnessVariants,
  ...observerVariants,
];
