import { runCreatedEvent, runStatusChangedEvent } from '@hookproof/receiver/testing';
import type { RunEvent, RunStatus } from '@hookproof/spec';
import { expect, it } from 'vitest';

import { startedReceiver } from '../started-receiver.ts';

const creation = (id: string, status: RunStatus, second: number): RunEvent =>
  runCreatedEvent({ id, createdAt: timeOf(second), run: { id: 'exec_1', status } });

const move = (
  id: string,
  previousStatus: RunStatus,
  currentStatus: RunStatus,
  second: number,
): RunEvent => {
  const createdAt = timeOf(second);
  return runStatusChangedEvent({
    id,
    createdAt,
    previousStatus,
    currentStatus,
    run: { id: 'exec_1', status: currentStatus },
  });
};

function timeOf(second: number): string {
  return new Date(Date.parse('2026-07-01T12:00:00Z') + second * 1000).toISOString();
}

it('a handled event that is after the end of its run says nothing about the steps of the run', async () => {
  const { deliver, receiver, handled } = await startedReceiver(
    { mode: 'ordered', gapGraceMilliseconds: 0, roundTripGraceMilliseconds: 0 },
    { work: false },
  );
  await deliver(move('whev_after', 'running', 'waiting', 2));
  await receiver.work();
  await deliver(
    creation('whev_creation', 'pending', 0),
    move('whev_end', 'pending', 'cancelled', 1),
  );
  await receiver.work();
  expect(handled.map(({ event, order }) => `${event.id} ${order}`)).toEqual([
    'whev_after unproven',
    'whev_creation proven',
    'whev_end assumed',
  ]);
});
