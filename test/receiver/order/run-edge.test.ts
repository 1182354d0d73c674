import { RUN_STATUSES } from '@hookproof/spec';
import { expect, it } from 'vitest';

import { compareStatuses } from '../../../receiver/src/order/run-edge.ts';

it('orders statuses: none, the known ones as the contract lists them, unknown ones by name', () => {
  const ordered = [null, ...RUN_STATUSES, 'archived', 'restored'];
  for (const [left, one] of ordered.entries()) {
    for (const [right, other] of ordered.entries()) {
      expect(Math.sign(compareStatuses(one, other)), `${one} and ${other}`).toBe(
        Math.sign(left - right),
      );
    }
  }
});
