import type { Store } from '@hookproof/receiver';
import { expect } from 'vitest';

import { incoming, settleFirsts } from './open-store.ts';

const DAY_SECONDS = 86_400;

/** Expects that an event which was signed later than the clock of an empty store shows grows old from then on. */
export async function expectRememberedFromSignature(store: Store): Promise<void> {
  const ahead = Math.floor(Date.now() / 1_000) + DAY_SECONDS;
  await store.accept({ ...incoming('whev_ahead'), timestamp: ahead });
  await store.accept({ ...incoming('whev_now'), timestamp: 1 });
  await settleFirsts(store, false);
  await expect.poll(() => store.purge(1)).toBe(1);
  expect(await store.accept(incoming('whev_ahead'))).toBe('duplicate');
  expect(await store.accept(incoming('whev_now'))).toBe('new');
}
