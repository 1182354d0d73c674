import { apiDefects } from './api/catalogue.ts';
import type { Defect } from './kit/defect.ts';
import { receiverDefects } from './receiver/catalogue.ts';
import { senderDefects } from './sender/catalogue.ts';

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
