import { describe, expect, test } from 'vitest';

import { emptyState } from '../../../../server-reference/src/store/state.ts';
import { createWorld } from '../../../../server-reference/src/lab/world/create-world.ts';
import { NOW, seeded } from './seeded.ts';

describe('a seeded world', () => {
  test('has the same ids for the same seed, and other ids for another seed', () => {
    expect(seeded(1).state).toEqual(seeded(1).state);
    expect(seeded(1, NOW + 5).world).toEqual(seeded(1).world);
    expect(seeded(2).world.keys).not.toEqual(seeded(1).world.keys);
  });

  test('shares no id and no key with another world of the same state', () => {
    const state = emptyState(1, 'token');
    const one = createWorld(state, NOW);
    const count = state.automations.size;
    const other = createWorld(state, NOW);
    const values = (world: typeof one): string[] => [
      world.id,
      world.tenantId,
      ...Object.values(world.keys),
      ...Object.entries(world.fixtures).flatMap(([name, id]) => (name.endsWith('Id') ? [id] : [])),
    ];
    expect(values(one)).not.toContain('');
    expect(values(one).filter((value) => values(other).includes(value))).toEqual([]);
    expect(new Set(Object.values(one.keys)).size).toBe(Object.keys(one.keys).length);
    expect(state.automations.size).toBe(2 * count);
  });

  test('has only times in the past, except expiry times', () => {
    const { state } = seeded();
    const later = JSON.stringify(state, (name: string, value: unknown) =>
      name === 'expiresAt' ? null : value,
    ).match(/"2\d{3}-\d\d-\d\dT[^"]*Z"/g);
    expect(later?.every((text) => JSON.parse(text) <= new Date(NOW).toISOString())).toBe(true);
  });

  test('has keys with the scope that their names promise', () => {
    const { state, world } = seeded();
    const grants = Object.fromEntries(
      Object.entries(world.keys).map(([name, key]) => {
        const { tenantId, scope, wildcardGranted, revokedAt } = state.apiKeys[key] ?? {};
        return [name, [tenantId === world.tenantId, scope, wildcardGranted, revokedAt !== null]];
      }),
    );
    expect(grants).toEqual({
      wildcard: [true, [], true, false],
      reviewer: [true, ['dataset_review:read'], false, false],
      ocr: [true, ['ocr:full'], false, false],
      workflow: [true, ['workflow:read'], false, false],
      revoked: [true, [], true, true],
      otherTenant: [false, [], true, false],
    });
  });
});
