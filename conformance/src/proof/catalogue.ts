import { apiDefects, apiVariants } from './api/catalogue.ts';
import { receiverDefects, receiverVariants } from './receiver/catalogue.ts';
import { senderDefects, senderVariants } from './sender/catalogue.ts';
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
export const defects: readonly Defect[] = [...apiDefects, ...receiverDefects, ...senderDefects];

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
  ...apiVariants,
  ...receiverVariants,
  ...senderVariants,
];
