import { describe, expect, test } from 'vitest';

import {
  readArtifactPath,
  readBasename,
} from '../../../../server-reference/src/api/files/artifact-path.ts';
import { ASSETS } from '../../../../server-reference/src/lab/world/assets.ts';
import type { ExampleRecord } from '../../../../server-reference/src/store/datasets.ts';
import { RUN_TRANSITIONS } from '../../../../server-reference/src/events/run-transitions.ts';
import { seeded } from './seeded.ts';

const { state } = seeded();

function all<T>(records: Record<string, T>): T[] {
  return Object.values(records);
}

function paths(files: readonly { path: string }[]): string[] {
  return files.map(({ path }) => path);
}

function exampleOf(automationId: string, name: string): ExampleRecord | undefined {
  return all(state.examples).find(
    (example) => example.automationId === automationId && example.name === name,
  );
}

describe('every reference in a seeded world has a target in the same tenant', () => {
  test('keys, folders and automations', () => {
    for (const key of all(state.apiKeys)) {
      expect(state.users[key.userId]?.tenantId).toBe(key.tenantId);
    }
    for (const { parentId, tenantId } of all(state.folders)) {
      if (parentId !== null) expect(state.folders[parentId]?.tenantId).toBe(tenantId);
    }
    for (const { folderId, tenantId } of all(state.automations)) {
      if (folderId !== null) expect(state.folders[folderId]?.tenantId).toBe(tenantId);
    }
    for (const agent of all(state.agents)) {
      const { id, tenantId, slug, name } = agent;
      expect(state.automations[id]).toMatchObject({ type: 'agent', tenantId, slug, name });
      expect(agent.stats.exampleCount).toBe(
        all(state.examples).filter(({ automationId }) => automationId === id).length,
      );
    }
    for (const { automationId, tenantId } of all(state.experiments)) {
      expect(state.automations[automationId]?.tenantId).toBe(tenantId);
    }
  });

  test('datasets', () => {
    const names = all(state.examples).map(({ automationId, name }) => `${automationId} ${name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const example of all(state.examples)) {
      expect(state.automations[example.automationId]?.tenantId).toBe(example.tenantId);
      expect(readBasename(example.name, 'name')).toBe(example.name);
      expect(example.input.length).toBeGreaterThan(0);
    }
  });

  test('files have stored bytes and valid paths', () => {
    const lists = [
      ...all(state.examples).flatMap(({ input, expected }) => [input, expected]),
      ...all(state.runs).map(({ outputFiles }) => outputFiles),
      ...all(state.runReviews).map(({ expectedFiles }) => expectedFiles),
    ];
    for (const list of lists) {
      expect(paths(list)).toEqual([...new Set(paths(list))].toSorted());
      for (const { path } of list) expect(readArtifactPath(path, 'path')).toBe(path);
    }
    const objects = all(state.uploads).flatMap(({ object }) => object ?? []);
    for (const { sha256, size } of [...lists.flat(), ...all(state.files), ...objects]) {
      expect(ASSETS.get(sha256)?.size).toBe(size);
    }
    for (const { fileId, tenantId, object, completedAt } of all(state.uploads)) {
      expect(fileId in state.files).toBe(completedAt !== null);
      if (completedAt === null) continue;
      expect(state.files[fileId]).toMatchObject({ tenantId, ...object });
    }
  });

  test('review requests match the dataset, except drifted input', () => {
    for (const review of all(state.reviewRequests)) {
      expect(state.automations[review.automationId]?.tenantId).toBe(review.tenantId);
      expect(review.closedAt === null).toBe(review.status !== 'closed');
      expect(review.events[0]?.action).toBe('created');
      const names = review.items.map(({ exampleName }) => exampleName);
      expect(new Set(names).size).toBe(names.length);
      for (const { reviewId, itemId, actorUserId } of review.events) {
        expect(reviewId).toBe(review.id);
        expect(['', ...review.items.map(({ id }) => id)]).toContain(itemId);
        expect(state.users[actorUserId]?.tenantId).toBe(review.tenantId);
      }
      for (const item of review.items) {
        expect(item.reviewId).toBe(review.id);
        expect(state.users[item.updatedBy]?.tenantId).toBe(review.tenantId);
        const example = exampleOf(review.automationId, item.exampleName);
        const { inputFileHashes, expectedFiles } = item.snapshotManifest;
        expect(expectedFiles.map(({ name }) => name)).toEqual(paths(example?.expected ?? []));
        expect(paths(inputFileHashes)).toEqual(paths(example?.input ?? []));
        const isEdited =
          JSON.stringify(item.currentExpectedJson) !== JSON.stringify(item.snapshotExpectedJson);
        expect(isEdited).toBe(item.status === 'edited');
      }
    }
  });

  test('runs have only transitions of the graph', () => {
    for (const run of all(state.runs)) {
      const { tenantId, type, worldId } = run;
      const automation = state.automations[run.automationId];
      expect(automation).toMatchObject({ tenantId, type });
      expect(Object.entries(automation?.triggers ?? {})).toContainEqual([run.triggerType, true]);
      expect(state.tenants[tenantId]?.worldId).toBe(worldId);
      expect(run.history[0]?.at).toBe(run.createdAt);
      expect(run.history.at(-1)?.status).toBe(run.status);
      for (const [index, { status, at }] of run.history.slice(1).entries()) {
        const before = run.history[index];
        expect(RUN_TRANSITIONS[before?.status ?? 'completed']).toContain(status);
        expect(Date.parse(at)).toBeGreaterThan(Date.parse(before?.at ?? ''));
      }
      const isOver = RUN_TRANSITIONS[run.status].length === 0;
      expect(run.completedAt).toBe(isOver ? run.history.at(-1)?.at : null);
      expect(run.usage.llmCallCount > 0).toBe(run.startedAt !== null);
      const last = state.agents[run.automationId]?.stats.lastExecutionAt;
      if (run.startedAt !== null && type === 'agent') expect(last).not.toBeUndefined();
      if (last !== undefined) expect(last >= (run.startedAt ?? '')).toBe(true);
    }
  });

  test('reviews of runs', () => {
    for (const { id, review, expectedFiles } of all(state.runReviews)) {
      const run = state.runs[id];
      expect(run?.status).toBe('completed');
      const reviewer = state.users[review?.reviewedBy ?? ''];
      expect(reviewer).toMatchObject({ tenantId: run?.tenantId, email: review?.reviewedByEmail });
      const isClosed = review?.status === 'closed';
      expect([review?.closedAt !== null, review?.closedBy !== null]).toEqual([isClosed, isClosed]);
      expect((review?.reviewedAt ?? '') > (run?.completedAt ?? '')).toBe(true);
      for (const { correctedArtifactPath } of review?.corrections ?? []) {
        if (correctedArtifactPath !== undefined)
          expect(paths(expectedFiles)).toContain(correctedArtifactPath);
      }
    }
  });
});
