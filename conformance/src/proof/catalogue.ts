import { operationDefects, operationVariants } from './api/every-operation.ts';
import { resourceDefects, resourceVariants } from './api/resources.ts';
import { receiverDefects } from './receiver/receiver-defects.ts';
import { receiverVariants } from './receiver/receiver-variants.ts';
import { senderDefects } from './sender/sender-defects.ts';
import { senderVariants } from './sender/sender-variants.ts';
import type { Defect, Variant } from './kit/defect.ts';

/**
 * Every defect that the suite must find.
 *
 * @example
 * ```ts
 * import { defects } from '@hookproof/conformance/proof';
 *
 * for (const { id, breaks, does } of defects) console.log(id, breaks, does);
 * ```
 */
export const defects: readonly Defect[] = [
  ...operationDefects,
  ...resourceDefects,
  ...receiverDefects,
  ...senderDefects,
];

/**
 * Every use of a freedom that the suite must accept.
 *
 * @example
 * ```ts
 * import { variants } from '@hookproof/conformance/proof';
 *
 * for (const { id, takes, does } of variants) console.log(id, takes, does);
 * ```
 */
export const variants: readonly Variant[] = [
  ...operationVariants,
  ...resourceVariants,
  ...receiverVariants,
  ...senderVariants,
];
