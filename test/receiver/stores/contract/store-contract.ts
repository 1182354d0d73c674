import { test } from 'vitest';

import { ACCEPTING } from './accepting.ts';
import { CHANGING } from './changing.ts';
import { FINISHING } from './finishing.ts';
import { withKit } from './kit.ts';
import type { StoreContractOptions } from './kit.ts';
import { LEASING } from './leasing.ts';
import { LISTING } from './listing.ts';

/** Registers the tests that every store must pass. Each creates a store, opens it and closes it. */
export function storeContract(options: StoreContractOptions): void {
  const tests = { ...ACCEPTING, ...LEASING, ...FINISHING, ...LISTING, ...CHANGING };
  for (const [name, run] of Object.entries(tests)) test(name, () => withKit(options, run));
}
