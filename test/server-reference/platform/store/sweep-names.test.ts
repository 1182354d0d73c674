import { expect, test } from 'vitest';

import { emptyState } from '../../../../server-reference/src/platform/state/state.ts';
import { namedHashes } from '../../../../server-reference/src/platform/store/sweep.ts';
import { createWorld } from '../../../../server-reference/src/lab/world/create-world.ts';
import { ASSETS } from '../../../../server-reference/src/lab/world/assets.ts';

test('every hash of a seeded world with stored bytes is named', () => {
  const state = emptyState(1, 'token');
  createWorld(state, Date.parse('2026-03-02T09:00:00.000Z'));
  const named = namedHashes(state);
  const text = JSON.stringify(state);
  for (const sha256 of ASSETS.keys()) {
    expect(named.has(sha256), sha256).toBe(text.includes(sha256));
  }
  expect(named.size).toBeGreaterThan(10);
});

test('files that a run will produce are named as well', () => {
  const state = emptyState(1, 'token');
  createWorld(state, Date.parse('2026-03-02T09:00:00.000Z'));
  const run = Object.values(state.runs).find(({ scheduledTransitions }) =>
    Object.isExtensible(scheduledTransitions),
  );
  const file = { path: 'a', contentType: 'text/plain', size: 1, sha256: 'f'.repeat(64) };
  run?.scheduledTransitions.push({
    status: 'completed',
    at: '2026-03-02T09:00:00.000Z',
    outputFiles: [file],
  });
  expect(namedHashes(state).has(file.sha256)).toBe(true);
});
