import { expect, test } from 'vitest';

import { listenAt, statuses } from '../events/endpoint-listener.ts';
import { startControlled } from '../lab/control/control-client.ts';
import type { ControlClient } from '../lab/control/control-client.ts';

const CHANGES: readonly [string, (control: ControlClient, ids: Ids) => Promise<unknown>][] = [
  [
    'a redelivery that is delivered',
    (control, { deliveryId }) => control.expectOk(202, `/deliveries/${deliveryId}/redeliver`, {}),
  ],
  [
    'an endpoint that is disabled',
    (control, { endpointId }) =>
      control.call(`/webhook-endpoints/${endpointId}`, {
        method: 'PATCH',
        json: { enabled: false },
      }),
  ],
  [
    'an endpoint that is deleted',
    (control, { endpointId }) =>
      control.call(`/webhook-endpoints/${endpointId}`, { method: 'DELETE' }),
  ],
  [
    'a world that is deleted',
    (control, { worldId }) => control.call(`/worlds/${worldId}`, { method: 'DELETE' }),
  ],
];

interface Ids {
  readonly worldId: string;
  readonly endpointId: string;
  readonly deliveryId: string;
}

test.each(CHANGES)('nothing is due after %s instead of its retry', async (_what, change) => {
  const control = await startControlled();
  const { id: worldId } = await control.expectOk<{ id: string }>(201, '/worlds', {});
  const listener = await listenAt(statuses(503, 204));
  const { id: endpointId } = await control.endpoint(listener.url, { worldId });
  await control.run({ worldId });
  await control.idle();
  const { id: deliveryId, nextAttemptAt } = await control.onlyDelivery();
  expect(await control.expectOk(200, '/clock')).toMatchObject({ nextDueAt: nextAttemptAt });
  await change(control, { worldId, endpointId, deliveryId });
  await control.idle();
  expect(await control.expectOk(200, '/clock')).toMatchObject({ nextDueAt: null });
});

const MOVES: readonly [string, (control: ControlClient, ids: RunIds) => Promise<unknown>][] = [
  ['is cancelled', (control, { runId }) => control.move(runId, 'cancelled')],
  ['is moved by hand', (control, { runId }) => control.move(runId, 'running')],
  [
    'is deleted with its world',
    (control, { worldId }) => control.call(`/worlds/${worldId}`, { method: 'DELETE' }),
  ],
];

type RunIds = Readonly<Record<'worldId' | 'runId', string>>;

test.each(MOVES)('nothing is due after a run %s before its transition', async (_how, change) => {
  const control = await startControlled();
  const { id: worldId } = await control.expectOk<{ id: string }>(201, '/worlds', {});
  const scheduledTransitions = [{ status: 'running', afterMilliseconds: 60_000 }];
  const { id: runId } = await control.run({ worldId, status: 'pending', scheduledTransitions });
  await change(control, { worldId, runId });
  expect(await control.expectOk(200, '/clock')).toMatchObject({ nextDueAt: null });
});
