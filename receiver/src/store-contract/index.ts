import { ACCEPTING } from './accepting.ts';
import { FINISHING } from './finishing.ts';
import { KEEPING } from './keeping.ts';
import { withKit } from './kit.ts';
import type { StoreContractOptions } from './kit.ts';
import { LEASING } from './leasing.ts';
import { REPLAYING } from './replaying.ts';

export type { StoreContractOptions } from './kit.ts';

/**
 * Registers the tests that every store must pass, with the test function of your test runner. Run it
 * on a store that you write. Each test creates a store, opens it and closes it. The tests wait for
 * time to pass where a lease must expire, at most 40 ms, so keep the machine out of a debugger.
 *
 * @example
 * ```ts
 * import { test } from 'node:test';
 * import { memoryStore } from '@hookproof/receiver/memory';
 * import { storeContract } from '@hookproof/receiver/store-contract';
 *
 * storeContract({ test, create: () => memoryStore() });
 * ```
 */
export function storeContract(options: StoreContractOptions): void {
  const tests = { ...ACCEPTING, ...LEASING, ...FINISHING, ...KEEPING, ...REPLAYING };
  for (const [name, run] of Object.entries(tests)) {
    options.test(name, () => withKit(options, run));
  }
}
