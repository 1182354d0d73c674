import type { Variant } from '../kit/defect.ts';
import { clockVariants } from './clock-variants.ts';
import { loadVariants } from './load-variants.ts';
import { observerVariants } from './observer-variants.ts';
import { statusVariants } from './status-variants.ts';
import { strictnessVariants } from './strictness-variants.ts';

/** Valid receivers that use a freedom each. */
export const receiverVariants: readonly Variant[] = [
  ...statusVariants,
  ...loadVariants,
  ...clockVariants,
  ...strictnessVariants,
  ...observerVariants,
];
