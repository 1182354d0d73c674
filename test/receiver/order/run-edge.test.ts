import { edgeOf } from '@hookproof/receiver/order';
import { runCreatedEvent, runStatusChangedEvent } from '@hookproof/receiver/testing';
import { RUN_STATUSES } from '@hookproof/spec';
import { expect, it } from 'vitest';

import { compareStatuses } from '../../../receiver/src/order/run-edge.ts';

it('reads the step of an event; a creation has no previous status', () => {
  const created = runCreatedEvent();
  expect(edgeOf(created)).toEqual({
    id: created.id,
    previousStatus: null,
    currentStatus: created.data.run.status,
    createdAt: created.createdAt,
  });
  const changed = runStatusChangedEvent({ previousStatus: 'waiting' });
  expect(edgeOf(changed)).toMatchObject({ id: changed.id, previousStatus: 'waiting' });
});

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
