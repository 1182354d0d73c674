import { expect, test } from 'vitest';

import { stateSerialiser } from '../../../../server-reference/src/platform/store/serialise-state.ts';
import { emptyState } from '../../../../server-reference/src/platform/state/state.ts';
import { createWorld } from '../../../../server-reference/src/lab/world/create-world.ts';
import { asId } from '../../state-by-text.ts';
import type { StateByText } from '../../state-by-text.ts';

/** A world, and events whose text is hard to serialise. */
function seededState(): StateByText {
  const state = emptyState(1, 'token');
  createWorld(state, Date.UTC(2026, 6, 1));
  for (const id of ['whev_1', 'whev_"2"\n']) addEvent(state, id, '{"name":"Zoë\u2028 😀"}');
  return state;
}

function addEvent(state: StateByText, id: string, payload: string): void {
  const createdAt = '2026-07-01T00:00:00.000Z';
  state.events[id] = {
    id: asId(id),
    worldId: asId('world_1'),
    type: 'run.created',
    runId: null,
    payload,
    test: true,
    createdAt,
  };
}

test.each([
  ['an empty state', emptyState(1, 'token')],
  ['a whole world', seededState()],
])('the bytes of %s are its JSON, also the second time', (_what, state) => {
  const serialise = stateSerialiser();
  for (let round = 0; round < 2; round += 1) {
    expect(JSON.parse(serialise(state).toString())).toEqual(JSON.parse(JSON.stringify(state)));
  }
});

test('later additions and changes are in the next bytes', () => {
  const state = seededState();
  const serialise = stateSerialiser();
  serialise(state);
  addEvent(state, 'whev_3', '{}');
  for (const run of Object.values(state.runs)) {
    if (run.completedAt !== null) continue;
    run.status = 'cancelled';
    run.completedAt = '2026-07-01T00:00:00.000Z';
    run.history.push({ status: 'cancelled', at: run.completedAt });
  }
  const again = JSON.parse(serialise(state).toString());
  expect(again).toEqual(JSON.parse(JSON.stringify(state)));
});

test('a change of a final record is an error, and never a lost write', () => {
  const state = seededState();
  stateSerialiser()(state);
  const run = Object.values(state.runs).find(({ completedAt }) => completedAt !== null);
  const event = state.events['whev_1'];
  expect(() => Object.assign(event ?? {}, { payload: '{}' })).toThrow(TypeError);
  expect(() => Object.assign(run ?? {}, { status: 'pending' })).toThrow(TypeError);
  expect(() => run?.history.push({ status: 'pending', at: '' })).toThrow(TypeError);
});
