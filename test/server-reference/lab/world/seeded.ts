import type { World } from '../../../../server-reference/src/store/world.ts';
import { emptyState } from '../../../../server-reference/src/store/state.ts';
import { createWorld } from '../../../../server-reference/src/lab/world/create-world.ts';
import { plainState } from '../../state-by-text.ts';
import type { StateByText } from '../../state-by-text.ts';

export const NOW: number = Date.parse('2026-05-04T12:00:00.000Z');

/** A state with one world in it. */
export function seeded(seed: number = 1, now: number = NOW): { state: StateByText; world: World } {
  const state = emptyState(seed, 'token');
  // The sample data has every fixture.
  const world = createWorld(state, now) as World;
  return { state: plainState(state), world };
}
