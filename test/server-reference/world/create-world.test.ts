import { REVIEW_STATUSES } from '@hookproof/spec';
import { describe, expect, test } from 'vitest';

import { emptyState } from '../../../server-reference/src/store/state.ts';
import type { State } from '../../../server-reference/src/store/state.ts';
import { createWorld } from '../../../server-reference/src/world/create-world.ts';

const NOW = Date.parse('2026-05-04T12:00:00.000Z');

function seeded(seed: number, now: number = NOW): { state: State; keys: Record<string, string> } {
  const state = emptyState(seed, 'token');
  const world = createWorld(state, now);
  return { state, keys: world.keys };
}

describe('a seeded world', () => {
  test('is the same for the same seed, and another for another', () => {
    expect(seeded(1).state).toEqual(seeded(1).state);
    expect(seeded(1, NOW + 5).keys).toEqual(seeded(1).keys);
    expect(seeded(2).keys).not.toEqual(seeded(1).keys);
  });

  test('shares no id and no key with another world of the same state', () => {
    const state = emptyState(1, 'token');
    const one = createWorld(state, NOW);
    const count = Object.keys(state.automations).length;
    const other = createWorld(state, NOW);
    const values = (world: typeof one): string[] => [
      world.id,
      world.tenantId,
      ...Object.values(world.keys),
      ...Object.entries(world.fixtures).flatMap(([name, id]) => (name.endsWith('Id') ? [id] : [])),
    ];
    expect(values(one)).not.toContain('');
    expect(values(one).filter((value) => values(other).includes(value))).toEqual([]);
    expect(Object.keys(state.automations)).toHaveLength(2 * count);
  });

  test('names fixtures that exist and are what their names say', () => {
    const { state } = seeded(1);
    const { tenantId, fixtures } = Object.values(state.worlds)[0] ?? expect.fail('no world');
    expect(state.automations[fixtures.workflowId]).toMatchObject({
      tenantId,
      type: 'workflow',
      slug: fixtures.workflowSlug,
      folderId: null,
    });
    expect(state.automations[fixtures.agentId]).toMatchObject({
      type: 'agent',
      slug: fixtures.agentSlug,
    });
    expect(state.agents[fixtures.agentId]).toMatchObject({ tenantId, archived: false });
    expect(state.folders[fixtures.folderId]).toMatchObject({ tenantId, name: 'Finance' });
    for (const status of REVIEW_STATUSES) {
      expect(state.reviewRequests[fixtures[`${status}ReviewId`]]).toMatchObject({
        tenantId,
        status,
        automationId: fixtures.reviewAutomationId,
      });
    }
    expect(state.templates[fixtures.templateId]?.tenantId).toBe(tenantId);
    expect(state.runs[fixtures.runId]).toMatchObject({ tenantId, status: 'completed' });
    const foreign = state.reviewRequests[fixtures.otherTenantReviewId];
    expect(foreign?.automationId).toBe(fixtures.otherTenantAutomationId);
    expect(foreign?.tenantId).not.toBe(tenantId);
  });

  test('holds together: every reference leads somewhere within the tenant', () => {
    const { state } = seeded(1);
    for (const key of Object.values(state.apiKeys)) {
      expect(state.users[key.userId]?.tenantId).toBe(key.tenantId);
    }
    for (const review of Object.values(state.reviewRequests)) {
      expect(state.automations[review.automationId]?.tenantId).toBe(review.tenantId);
      expect(review.closedAt === null).toBe(review.status !== 'closed');
      expect(review.events[0]?.action).toBe('created');
      expect(review.items.every((item) => item.reviewId === review.id)).toBe(true);
    }
    for (const run of Object.values(state.runs)) {
      expect(state.automations[run.automationId]).toMatchObject({
        tenantId: run.tenantId,
        type: run.type,
      });
      expect(run.history.at(-1)?.status).toBe(run.status);
    }
    for (const kind of ['agents', 'automations', 'templates', 'reviewRequests', 'runs'] as const) {
      const listed = Object.values(state.listed[kind]).flat();
      expect(new Set(listed)).toEqual(new Set(Object.keys(state[kind])));
    }
    for (const row of Object.values(state.automations)) {
      if (row.folderId !== null) expect(state.folders[row.folderId]?.tenantId).toBe(row.tenantId);
    }
  });

  test('is plain JSON', () => {
    const { state } = seeded(1);
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  });
});
