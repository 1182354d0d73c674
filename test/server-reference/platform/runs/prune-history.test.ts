import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createServer } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import { createRun } from '../../../../server-reference/src/platform/runs/change-run.ts';
import { moveRun } from '../../../../server-reference/src/platform/runs/change-run.ts';
import {
  CHANGES_BETWEEN_PRUNES,
  MAX_ENDED_RUNS,
  MAX_SETTLED_DELIVERIES,
  MAX_UNSENT_EVENTS,
} from '../../../../server-reference/src/platform/store/prune-history.ts';
import { cancelDeliveries } from '../../../../server-reference/src/platform/sender/settle.ts';
import type { DeliveryRecord } from '../../../../server-reference/src/platform/state/deliveries.ts';
import { emptyState } from '../../../../server-reference/src/platform/state/state.ts';
import type {
  WebhookEndpointId,
  WorldId,
} from '../../../../server-reference/src/platform/state/ids.ts';
import { createWorld } from '../../../../server-reference/src/lab/world/create-world.ts';
import { controlClient } from '../../lab/control/control-client.ts';
import { listenAt } from '../sender/endpoint-listener.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';
import { asId } from '../../state-by-text.ts';
import type { StateByText } from '../../state-by-text.ts';

const START = Date.parse('2026-07-01T00:00:00.000Z');

function worldWithEndpoints(count: number): { state: StateByText; worldId: WorldId } {
  const state: StateByText = emptyState(1, 'token');
  const { id: worldId } = createWorld(state, START);
  state.defaultWorldId = worldId;
  for (let number = 1; number <= count; number += 1) {
    const id = asId<WebhookEndpointId>(`whep_${number}`);
    state.webhookEndpoints[id] = {
      id,
      worldId,
      url: 'http://127.0.0.1:9/',
      headers: {},
      secret: 'whsec_x',
      enabled: true,
      createdAt: new Date(START).toISOString(),
    };
  }
  return { state, worldId };
}

/** A run that has ended from the start, and its deliveries. */
function endedRun(state: StateByText, worldId: WorldId): readonly DeliveryRecord[] {
  const workflowId = state.worlds[worldId]?.fixtures.workflowId ?? '';
  const automation = state.automations[workflowId] ?? expect.unreachable();
  const input = { worldId, automation, triggerType: 'api', status: 'cancelled' } as const;
  return createRun(state, START, { ...input, origin: 'top-level' }).deliveries;
}

function fixturesOf(state: StateByText, worldId: WorldId): (string | undefined)[] {
  const fixtures = state.worlds[worldId]?.fixtures;
  return [fixtures?.runId, fixtures?.reviewedRunId, fixtures?.otherTenantRunId];
}

function settle(delivery: DeliveryRecord | undefined): void {
  if (delivery !== undefined) delivery.status = 'delivered';
}

test('the oldest settled deliveries and ended runs are removed; pending and open ones stay', () => {
  const { state, worldId } = worldWithEndpoints(2);
  const seeded = Object.keys(state.runs);
  const reviewed = Object.keys(state.runReviews);
  const staying: readonly string[] = Object.values(state.runs)
    .filter(
      ({ id, completedAt }) => completedAt === null || fixturesOf(state, worldId).includes(id),
    )
    .map(({ id }) => id);
  const [settled, pending] = endedRun(state, worldId);
  settle(settled);
  const [alone] = endedRun(state, worldId).map((delivery) => (settle(delivery), delivery));
  let most = 0;
  for (let run = 0; run < MAX_ENDED_RUNS + 2 * CHANGES_BETWEEN_PRUNES; run += 1) {
    endedRun(state, worldId).forEach(settle);
    if (run % 500 === 0) most = Math.max(most, Object.keys(state.deliveries).length);
  }
  expect(state.deliveries[settled?.id ?? '']).toBeUndefined();
  expect(state.deliveries[pending?.id ?? '']).toBe(pending);
  expect(state.events[pending?.eventId ?? '']).toBeDefined();
  expect(state.events[alone?.eventId ?? '']).toBeUndefined();
  expect(state.runs[alone?.runId ?? '']).toBeUndefined();
  expect(seeded.filter((id) => state.runs[id] !== undefined)).toEqual(staying);
  // Records of a run exist exactly as long as the run.
  expect(reviewed.length).toBeGreaterThan(1);
  expect(Object.keys(state.runReviews)).toEqual(reviewed.filter((id) => staying.includes(id)));
  expect(Object.values(state.listed.runs).flat().toSorted()).toEqual(
    Object.keys(state.runs).toSorted(),
  );
  expect(most).toBeGreaterThan(MAX_SETTLED_DELIVERIES);
  // Each change of this test settles two.
  expect(most).toBeLessThanOrEqual(MAX_SETTLED_DELIVERIES + 2 * (CHANGES_BETWEEN_PRUNES + 2));
  const events = new Set(Object.values(state.deliveries).map(({ eventId }) => eventId));
  expect(Object.keys(state.events).length).toBeLessThanOrEqual(
    events.size + MAX_UNSENT_EVENTS + CHANGES_BETWEEN_PRUNES,
  );
});

test('events without a recipient are removed as well, whatever created them', () => {
  const { state, worldId } = worldWithEndpoints(0);
  endedRun(state, worldId);
  const run =
    Object.values(state.runs).find(({ status }) => status === 'running') ?? expect.unreachable();
  for (let move = 0; move < 3 * CHANGES_BETWEEN_PRUNES; move += 1) {
    moveRun(state, START, run, { status: run.status === 'running' ? 'waiting' : 'running' });
  }
  expect(Object.keys(state.events).length).toBeLessThanOrEqual(
    MAX_UNSENT_EVENTS + CHANGES_BETWEEN_PRUNES + 1,
  );
});

test('a disabled endpoint leaves no more deliveries than others', () => {
  const { state, worldId } = worldWithEndpoints(1);
  const runs = MAX_SETTLED_DELIVERIES + 3 * CHANGES_BETWEEN_PRUNES;
  for (let run = 0; run < runs; run += 1) endedRun(state, worldId);
  expect(Object.keys(state.deliveries)).toHaveLength(runs);
  cancelDeliveries(state, asId('whep_1'), 'endpoint_disabled');
  expect(Object.keys(state.deliveries).length).toBeLessThanOrEqual(
    MAX_SETTLED_DELIVERIES + CHANGES_BETWEEN_PRUNES,
  );
});

test('a server that finds too many deliveries removes them with its first delivery', async () => {
  const listener = await listenAt();
  const { state, worldId } = worldWithEndpoints(1);
  const before = MAX_SETTLED_DELIVERIES + CHANGES_BETWEEN_PRUNES / 2;
  for (let run = 0; run < before; run += 1) endedRun(state, worldId).forEach(settle);
  const [oldest] = Object.keys(state.deliveries);
  for (const delivery of Object.values(state.deliveries)) delivery.nextAttemptAt = null;
  for (const endpoint of Object.values(state.webhookEndpoints)) endpoint.url = listener.url;
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'state.json'), JSON.stringify(state));

  const server = await createServer({ store: { kind: 'folder', path: folder } });
  onTestFinished(() => server.close());
  const control = controlClient(server);
  expect((await control.deliveries())[0]?.id).toBe(oldest);
  const { id: runId } = await control.run();
  await control.idle();
  const deliveries = await control.deliveries();
  expect(deliveries.length).toBeLessThanOrEqual(MAX_SETTLED_DELIVERIES + 1);
  expect(deliveries.at(-1)).toMatchObject({ runId, status: 'delivered' });
  expect(deliveries.map(({ id }) => id)).not.toContain(oldest);
  await control.expectError(404, `/deliveries/${oldest}/redeliver`, { json: {} });
});
