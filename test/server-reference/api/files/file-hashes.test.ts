import { expect, test } from 'vitest';

import { fileHashes } from '../../../../server-reference/src/api/files/file-hashes.ts';
import { emptyState } from '../../../../server-reference/src/store/state.ts';
import type { State } from '../../../../server-reference/src/store/state.ts';
import { createWorld } from '../../../../server-reference/src/lab/world/create-world.ts';
import { ASSETS } from '../../../../server-reference/src/lab/world/assets.ts';
import { plainState } from '../../state-by-text.ts';

function seededState(): State {
  const state = emptyState(1, 'token');
  createWorld(state, Date.parse('2026-03-02T09:00:00.000Z'));
  return state;
}

test('every hash in the records of a world is found', () => {
  const state = seededState();
  const text = JSON.stringify(plainState(state));
  const named = [...ASSETS.keys()].filter((sha256) => text.includes(sha256));
  expect(named.length).toBeGreaterThan(5);
  expect(fileHashes(state)).toEqual(new Set(named));
});

test('the files that a run will produce are found', () => {
  const state = seededState();
  const [run = expect.unreachable()] = state.runs.values();
  const sha256 = 'f'.repeat(64);
  state.runs.edit(run.id).scheduledTransitions.push({
    status: 'completed',
    at: '2026-03-02T09:00:00.000Z',
    outputFiles: [{ path: 'a', contentType: 'text/plain', size: 1, sha256 }],
  });
  expect(fileHashes(state)).toContain(sha256);
});
