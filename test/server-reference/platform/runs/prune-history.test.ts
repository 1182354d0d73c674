import { expect, test } from 'vitest';

import { createRun, moveRun } from '../../../../server-reference/src/platform/runs/change-run.ts';
import type {
  RunChange,
  RunDetails,
} from '../../../../server-reference/src/platform/runs/change-run.ts';
import {
  CHANGES_BETWEEN_PRUNES,
  MAX_DELIVERY_BYTES,
  MAX_RESPONSE_BODY_BYTES,
  MAX_REVIEW_BYTES,
  MAX_RUN_BYTES,
  MAX_UNSENT_EVENT_BYTES,
} from '../../../../server-reference/src/platform/store/prune-history.ts';
import { PAYLOAD_LIMIT_BYTES } from '../../../../server-reference/src/platform/runs/events.ts';
import type { RunRecord } from '../../../../server-reference/src/platform/state/runs.ts';
import type { DeliveryRecord } from '../../../../server-reference/src/platform/state/deliveries.ts';
import { emptyState } from '../../../../server-reference/src/platform/state/state.ts';
import type { State, StoredState } from '../../../../server-reference/src/platform/state/state.ts';
import type { DeepReadonly } from '../../../../server-reference/src/platform/state/read-only.ts';
import type {
  ResponseBodyId,
  RunId,
  WebhookEndpointId,
  WorldId,
} from '../../../../server-reference/src/platform/state/ids.ts';
import { createWorld } from '../../../../server-reference/src/lab/world/create-world.ts';
import { asId } from '../../state-by-text.ts';

type Delivery = DeepReadonly<DeliveryRecord>;

const START = Date.parse('2026-07-01T00:00:00.000Z');

function worldWithEndpoints(count: number): { state: StoredState; worldId: WorldId } {
  const state = emptyState(1, 'token');
  const { id: worldId } = createWorld(state, START);
  state.defaultWorldId = worldId;
  for (let number = 1; number <= count; number += 1) {
    const id = asId<WebhookEndpointId>(`whep_${number}`);
    state.webhookEndpoints.add({
      id,
      worldId,
      url: 'http://127.0.0.1:9/',
      headers: {},
      secret: 'whsec_x',
      enabled: true,
      createdAt: new Date(START).toISOString(),
    });
  }
  return { state, worldId };
}

const MEBIBYTE = 1_048_576;
/** One string, so that a test with many copies of it needs no memory. */
const LARGE = 'x'.repeat(MEBIBYTE);

/** Creates a run that has ended from the start. */
function createEndedRun(
  state: State,
  worldId: WorldId,
  output: unknown,
  details: RunDetails = {},
): RunChange {
  const workflowId = state.worlds.get(worldId)?.fixtures.workflowId ?? '';
  const automation = state.automations.get(workflowId) ?? expect.unreachable();
  const input = { worldId, automation, triggerType: 'api', status: 'cancelled' } as const;
  return createRun(state, START, { ...input, origin: 'top-level', output, details });
}

/** An output of a megabyte in the form of a record, which is not hashed again for each run. */
function keptOutput(): unknown {
  const { state, worldId } = worldWithEndpoints(0);
  return createEndedRun(state, worldId, LARGE).run.output;
}

const KEPT_OUTPUT = keptOutput();

/** A run that has ended from the start, by default with an output of a megabyte, and its deliveries. */
function endedRun(
  state: State,
  worldId: WorldId,
  output = KEPT_OUTPUT,
  details?: RunDetails,
): readonly Delivery[] {
  return createEndedRun(state, worldId, output, details).deliveries;
}

function fixturesOf(state: State, worldId: WorldId): (string | undefined)[] {
  const fixtures = state.worlds.get(worldId)?.fixtures;
  return [fixtures?.runId, fixtures?.reviewedRunId, fixtures?.otherTenantRunId];
}

/** Settles a delivery with a response of a megabyte. */
function settle(state: State, delivery: Delivery | undefined): void {
  if (delivery === undefined) return;
  const settled = state.deliveries.edit(delivery.id);
  settled.status = 'delivered';
  settled.attempts.push({
    number: 1,
    startedAt: '',
    finishedAt: '',
    trigger: 'automatic',
    deliveryFault: null,
    webhookTimestamp: null,
    status: 200,
    error: null,
    detail: null,
    retryAfter: null,
    responseBody: LARGE,
  });
}

/** The bytes of records with their large values. */
function bytesOf(records: Iterable<unknown>): number {
  const json = JSON.stringify([...records]);
  const large = json.matchAll(/"\$large":"[0-9a-f]{64}","bytes":(\d+)/g);
  return [...large].reduce((sum, [, bytes]) => sum + Number(bytes), json.length);
}

test('the oldest settled deliveries and ended runs are removed; pending and open ones stay', () => {
  const { state, worldId } = worldWithEndpoints(2);
  const seeded = [...state.runs.values()].map(({ id }) => id);
  const reviewed = [...state.runReviews.values()].map(({ id }) => id);
  const staying: readonly string[] = [...state.runs.values()]
    .filter(
      ({ id, completedAt }) => completedAt === null || fixturesOf(state, worldId).includes(id),
    )
    .map(({ id }) => id);
  const [settled, pending] = endedRun(state, worldId);
  settle(state, settled);
  const [alone] = endedRun(state, worldId).map((delivery) => (settle(state, delivery), delivery));
  const runs = (2 * Math.max(MAX_RUN_BYTES, MAX_DELIVERY_BYTES)) / MEBIBYTE;
  for (let run = 0; run < runs; run += 1) {
    endedRun(state, worldId).forEach((one) => settle(state, one));
  }
  expect(state.deliveries.get(settled?.id ?? '')).toBeUndefined();
  expect(state.deliveries.get(pending?.id ?? '')).toBe(pending);
  expect(state.events.get(pending?.eventId ?? '')).toBeDefined();
  expect(state.events.get(alone?.eventId ?? '')).toBeUndefined();
  expect(state.runs.get(alone?.runId ?? '')).toBeUndefined();
  expect(seeded.filter((id) => state.runs.has(id))).toEqual(staying);
  // Records of a run exist exactly as long as the run.
  expect(reviewed.length).toBeGreaterThan(1);
  expect([...state.runReviews.values()].map(({ id }) => id)).toEqual(
    reviewed.filter((id) => staying.includes(id)),
  );
  expect(
    [...state.tenants.values()].flatMap(({ id }) => state.listed.runs.of(id)).toSorted(),
  ).toEqual([...state.runs.values()].map(({ id }) => id).toSorted());
  for (const [records, max] of [
    [state.runs, MAX_RUN_BYTES],
    [state.deliveries, MAX_DELIVERY_BYTES],
  ] as const) {
    const bytes = bytesOf(records.values());
    expect(bytes / max).toBeGreaterThan(0.95);
    // Each change of this test settles up to two.
    expect(bytes).toBeLessThan(max + 2 * (CHANGES_BETWEEN_PRUNES + 2) * MEBIBYTE);
  }
  const sent = new Set<string>([...state.deliveries.values()].map(({ eventId }) => eventId));
  expect([...state.events.values()].filter(({ id }) => !sent.has(id))).toEqual([]);
});

test('events without a recipient are removed as well, whatever created them', () => {
  const { state, worldId } = worldWithEndpoints(0);
  endedRun(state, worldId);
  const run =
    [...state.runs.values()].find(({ status }) => status === 'running') ?? expect.unreachable();
  const output = 'x'.repeat(PAYLOAD_LIMIT_BYTES - 2_000);
  for (let move = 0; move < (3 * MAX_UNSENT_EVENT_BYTES) / output.length; move += 1) {
    const status = run.status === 'running' ? 'waiting' : 'running';
    moveRun(state, START, run, { status, output });
  }
  const bytes = bytesOf(state.events.values());
  expect(bytes / MAX_UNSENT_EVENT_BYTES).toBeGreaterThan(0.95);
  expect(bytes).toBeLessThan(
    MAX_UNSENT_EVENT_BYTES + (CHANGES_BETWEEN_PRUNES + 2) * PAYLOAD_LIMIT_BYTES,
  );
});

test('names count as much as the values under them', () => {
  const { state, worldId } = worldWithEndpoints(0);
  const seeded = state.runs.size;
  const runs = (2 * MAX_RUN_BYTES) / MEBIBYTE;
  for (let run = 0; run < runs; run += 1) {
    endedRun(state, worldId, 'small', { metadata: { [LARGE]: run } });
  }
  const left = state.runs.size - seeded;
  expect(left).toBeLessThan(MAX_RUN_BYTES / MEBIBYTE + CHANGES_BETWEEN_PRUNES + 2);
  expect(left).toBeGreaterThan(0.9 * (MAX_RUN_BYTES / MEBIBYTE));
});

test('a delivery counts with its event', () => {
  const { state, worldId } = worldWithEndpoints(1);
  // Almost as long as an output in its record can be.
  const output = 'x'.repeat(16_000);
  for (let run = 0; run < (2 * MAX_DELIVERY_BYTES) / output.length; run += 1) {
    for (const { id } of endedRun(state, worldId, output)) {
      state.deliveries.edit(id).status = 'delivered';
    }
  }
  const bytes = bytesOf(state.events.values());
  expect(bytes / MAX_DELIVERY_BYTES).toBeGreaterThan(0.8);
  expect(bytes).toBeLessThan(MAX_DELIVERY_BYTES + (CHANGES_BETWEEN_PRUNES + 2) * 2 * output.length);
});

test('the reviews that were written last stay, and those of fixtures', () => {
  const { state, worldId } = worldWithEndpoints(0);
  const reviewed = fixturesOf(state, worldId)[1] ?? '';
  const { review } = state.runReviews.get(reviewed) ?? expect.unreachable();
  const write = (id: RunId): void => {
    state.runReviews.delete(id);
    const written = { ...structuredClone(review), note: LARGE };
    state.runReviews.add({ id, review: written as never, expectedFiles: [] });
    endedRun(state, worldId, 'small');
  };
  const most = MAX_REVIEW_BYTES / MEBIBYTE;
  const ids = Array.from({ length: 3 * most }, (_run, number) => asId<RunId>(`exec_${number}`));
  for (const id of ids.slice(0, most - 1)) write(id);
  const [first = expect.unreachable()] = ids;
  for (const id of [first, ...ids.slice(most)]) write(id);
  for (let change = 0; change < CHANGES_BETWEEN_PRUNES; change += 1) {
    endedRun(state, worldId, 'small');
    if (change === 0) write(first);
  }
  const left = ids.filter((id) => state.runReviews.has(id));
  expect(left).toEqual([first, ...ids.slice(2 - most)]);
  expect(state.runReviews.has(reviewed)).toBe(true);
});

test('a small run costs little: 100,000 of them stay', () => {
  const { state, worldId } = worldWithEndpoints(0);
  const run = [...state.runs.values()].find(({ id }) => id === fixturesOf(state, worldId)[0]);
  // Nothing changes them, so all copies have the same nested values.
  const copy = structuredClone(run ?? expect.unreachable()) as RunRecord;
  for (let index = 0; index < 100_000; index += 1) {
    state.runs.add({ ...copy, id: asId(`exec_${index}`) });
  }
  for (let change = 0; change < 2 * CHANGES_BETWEEN_PRUNES; change += 1) {
    endedRun(state, worldId, 'small');
  }
  expect(state.runs.has('exec_0')).toBe(true);
});

test('response bodies leave with the oldest settled deliveries, before they exceed their bytes', () => {
  const { state, worldId } = worldWithEndpoints(1);
  const ids: Delivery['id'][] = [];
  for (let run = 0; run < 3 * CHANGES_BETWEEN_PRUNES; run += 1) {
    const id = asId<ResponseBodyId>(`body_${run}`);
    for (const delivery of endedRun(state, worldId, 'small')) {
      settle(state, delivery);
      const [attempt] = state.deliveries.edit(delivery.id).attempts;
      if (attempt !== undefined) attempt.responseBody = { id };
      state.responseBodies.add({ id, text: LARGE, uses: 1 });
      ids.push(delivery.id);
    }
  }
  expect(bytesOf(state.responseBodies.values())).toBeLessThan(
    MAX_RESPONSE_BODY_BYTES + (CHANGES_BETWEEN_PRUNES + 1) * MEBIBYTE,
  );
  expect(state.responseBodies.has('body_0')).toBe(false);
  expect([...state.deliveries.values()].map(({ id }) => id)).toEqual(
    ids.slice(-state.responseBodies.size),
  );
});
