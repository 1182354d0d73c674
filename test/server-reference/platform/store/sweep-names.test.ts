import { expect, test } from 'vitest';

import { emptyState } from '../../../../server-reference/src/platform/state/state.ts';
import type { ReadonlyState } from '../../../../server-reference/src/platform/state/state.ts';
import { createWorld } from '../../../../server-reference/src/lab/world/create-world.ts';
import { ASSETS } from '../../../../server-reference/src/lab/world/assets.ts';

function isNamed({ hashes }: ReadonlyState, sha256: string): boolean {
  return hashes.some((named) => named.has(sha256));
}

test('every hash of a seeded world with stored bytes is named', () => {
  const state = emptyState(1, 'token');
  createWorld(state, Date.parse('2026-03-02T09:00:00.000Z'));
  const text = JSON.stringify(state);
  for (const sha256 of ASSETS.keys()) {
    expect(isNamed(state, sha256), sha256).toBe(text.includes(sha256));
  }
});

test('files that a run will produce are named as well', () => {
  const state = emptyState(1, 'token');
  createWorld(state, Date.parse('2026-03-02T09:00:00.000Z'));
  const [run] = state.runs.values();
  const file = { path: 'a', contentType: 'text/plain', size: 1, sha256: 'f'.repeat(64) };
  state.runs.edit(run?.id ?? expect.unreachable()).scheduledTransitions.push({
    status: 'completed',
    at: '2026-03-02T09:00:00.000Z',
    outputFiles: [file],
  });
  expect(isNamed(state, file.sha256)).toBe(true);
});

test('a hash is named until the last record that names it is gone or names another', () => {
  const state = emptyState(1, 'token');
  createWorld(state, Date.parse('2026-03-02T09:00:00.000Z'));
  const [one, other] = state.files.values();
  if (one === undefined || other === undefined) expect.unreachable();
  const sha256 = 'f'.repeat(64);
  state.files.edit(one.id).sha256 = sha256;
  state.files.edit(other.id).sha256 = sha256;
  expect(isNamed(state, sha256)).toBe(true);
  state.files.delete(one.id);
  expect(isNamed(state, sha256)).toBe(true);
  state.files.edit(other.id).sha256 = 'e'.repeat(64);
  expect([isNamed(state, sha256), isNamed(state, 'e'.repeat(64))]).toEqual([false, true]);
});
