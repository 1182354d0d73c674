import { loadOpenApi } from '@hookproof/spec/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createRun, moveRun } from '../../../server-reference/src/events/run-change.ts';
import type { NewRun, RunChange } from '../../../server-reference/src/events/run-change.ts';
import { runSnapshot } from '../../../server-reference/src/events/run-snapshot.ts';
import { createWorld } from '../../../server-reference/src/lab/world/create-world.ts';
import type { WorldId } from '../../../server-reference/src/store/ids.ts';
import {
  isTerminal,
  RUN_TRANSITIONS,
  RunTransitionError,
} from '../../../server-reference/src/events/run-transitions.ts';
import { emptyState } from '../../../server-reference/src/store/state.ts';
import type { State } from '../../../server-reference/src/store/state.ts';
import { asId, plainState } from '../state-by-text.ts';

const START = Date.parse('2026-07-01T00:00:00.000Z');

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(loadOpenApi(), 'contract', false, false);
const isCreated = ajv.compile({ $ref: 'contract#/components/schemas/RunCreatedEvent' });
const isStatusChanged = ajv.compile({ $ref: 'contract#/components/schemas/RunStatusChangedEvent' });

interface Scene {
  readonly state: State;
  readonly create: (more?: Partial<NewRun>) => RunChange;
}

/** A world with an endpoint, a disabled endpoint, and another world with an endpoint. */
function scene(): Scene {
  const state = emptyState(1, 'token');
  const world = createWorld(state, START);
  const other = createWorld(state, START);
  const endpoint = { url: 'http://127.0.0.1/', headers: {}, secret: 'whsec_1', createdAt: '' };
  const add = (id: string, worldId: WorldId, enabled: boolean): void =>
    state.webhookEndpoints.add({ ...endpoint, id: asId(id), worldId, enabled });
  add('on', world.id, true);
  add('off', world.id, false);
  add('elsewhere', other.id, true);
  const automation = state.automations.get(world.fixtures.workflowId ?? '') ?? expect.unreachable();
  return {
    state,
    create: (more) =>
      createRun(state, START, {
        worldId: world.id,
        automation,
        origin: 'top-level',
        triggerType: 'api',
        ...more,
      }),
  };
}

/** The payloads of a change, each validated by the schema of its event. */
function payloads(state: State, { deliveries }: Pick<RunChange, 'deliveries'>): unknown[] {
  return deliveries.map(({ eventId }) => {
    const event: unknown = JSON.parse(state.events.get(eventId)?.payload ?? '');
    const valid = state.events.get(eventId)?.type === 'run.created' ? isCreated : isStatusChanged;
    expect(valid(event), JSON.stringify(valid.errors)).toBe(true);
    return event;
  });
}

describe('createRun', () => {
  test('emits run.created with the snapshot, for each enabled endpoint of its world', () => {
    const { state, create } = scene();
    const change = create();
    expect(change.deliveries.map(({ endpointId }) => endpointId)).toEqual(['on']);
    const [event] = payloads(state, change);
    expect(event).toEqual({
      id: change.deliveries[0]?.eventId,
      type: 'run.created',
      apiVersion: '2026-07-01',
      createdAt: '2026-07-01T00:00:00.000Z',
      test: false,
      data: { run: runSnapshot(change.run) },
    });
    expect(change.deliveries[0]).toMatchObject({ status: 'pending', attempts: [] });
  });

  test('records the event also without an enabled endpoint', () => {
    const { state, create } = scene();
    state.webhookEndpoints.deleteWhere(() => true);
    expect(create().deliveries).toEqual([]);
    expect(state.events.size).toBe(1);
  });

  test('starts agents as created and workflows as pending', () => {
    const { state, create } = scene();
    const agent = [...state.automations.values()].find(({ type }) => type === 'agent');
    expect(create().run.status).toBe('pending');
    expect(create({ automation: agent ?? expect.unreachable() }).run.status).toBe('created');
  });
});

describe('moveRun', () => {
  test('refuses a move outside the graph with both statuses, and changes nothing', () => {
    const { state, create } = scene();
    const { run } = create();
    const before = plainState(state);
    expect(() => moveRun(state, START, run, { status: 'completed', output: 1 })).toThrow(
      new RunTransitionError('pending', 'completed'),
    );
    expect(() => moveRun(state, START, run, { status: 'pending' })).toThrow(
      'a run cannot move from pending to pending: expected one of running, cancelled, rejected',
    );
    expect(plainState(state)).toEqual(before);
  });

  test('sets startedAt at the first start, and completedAt exactly on terminal statuses, on every path', () => {
    const { state, create } = scene();
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 12 }), (choices) => {
        const { run } = create();
        let started: string | null = null;
        for (const [index, choice] of choices.entries()) {
          const targets = RUN_TRANSITIONS[run.status];
          const status = targets[choice % Math.max(1, targets.length)];
          if (status === undefined) break;
          const now = START + (index + 1) * 1_000;
          const previous = run.status;
          const [event] = payloads(state, moveRun(state, now, run, { status }));
          if (status === 'running') started ??= new Date(now).toISOString();
          expect(event).toMatchObject({
            data: { previousStatus: previous, currentStatus: status },
          });
          expect(run.startedAt).toBe(started);
          expect(run.completedAt).toBe(isTerminal(status) ? new Date(now).toISOString() : null);
        }
      }),
    );
  });
});
