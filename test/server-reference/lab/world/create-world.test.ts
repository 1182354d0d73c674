import { describe, expect, test } from 'vitest';

import {
  readArtifactPath,
  readBasename,
} from '../../../../server-reference/src/api/files/artifact-path.ts';
import { RUN_TRANSITIONS } from '../../../../server-reference/src/events/run-transitions.ts';
import { ASSETS } from '../../../../server-reference/src/lab/world/assets.ts';
import { createWorld } from '../../../../server-reference/src/lab/world/create-world.ts';
import { emptyState } from '../../../../server-reference/src/store/state.ts';
import type { World } from '../../../../server-reference/src/store/world.ts';
import { plainState } from '../../state-by-text.ts';
import type { StateByText } from '../../state-by-text.ts';

const NOW = Date.parse('2026-05-04T12:00:00.000Z');

/** A state with one world in it, which has every fixture. */
function seeded(seed = 1, now = NOW): { state: StateByText; world: World } {
  const state = emptyState(seed, 'token');
  const world = createWorld(state, now) as World;
  return { state: plainState(state), world };
}

const { state, world } = seeded();
const { fixtures } = world;

describe('a seeded world', () => {
  test('has the same ids for the same seed, and other ids for another seed', () => {
    expect(seeded().state).toEqual(state);
    expect(seeded(1, NOW + 5).world).toEqual(world);
    expect(seeded(2).world.keys).not.toEqual(world.keys);
  });

  test('shares no id and no key with another world of the same state', () => {
    const both = emptyState(1, 'token');
    const one = createWorld(both, NOW);
    const count = both.automations.size;
    const other = createWorld(both, NOW);
    const values = (given: typeof one): string[] => [
      given.id,
      given.tenantId,
      ...Object.values(given.keys),
      ...Object.entries(given.fixtures).flatMap(([name, id]) => (name.endsWith('Id') ? [id] : [])),
    ];
    expect(values(one)).not.toContain('');
    expect(values(one).filter((value) => values(other).includes(value))).toEqual([]);
    expect(both.automations.size).toBe(2 * count);
  });

  test('has only times in the past, except expiry times', () => {
    const text = JSON.stringify(state, (name: string, value: unknown) =>
      name === 'expiresAt' ? null : value,
    );
    const times = text.match(/"2\d{3}-\d\d-\d\dT[^"]*Z"/g) ?? [];
    expect(times.filter((time) => JSON.parse(time) > new Date(NOW).toISOString())).toEqual([]);
  });

  test('has keys with the scope that their names promise', () => {
    const grants = Object.entries(world.keys).map(([name, key]) => {
      const { tenantId, scope, wildcardGranted, revokedAt } = state.apiKeys[key] ?? {};
      return [name, tenantId === world.tenantId, scope, wildcardGranted, revokedAt !== null];
    });
    expect(grants).toEqual([
      ['wildcard', true, [], true, false],
      ['reviewer', true, ['dataset_review:read'], false, false],
      ['ocr', true, ['ocr:full'], false, false],
      ['workflow', true, ['workflow:read'], false, false],
      ['revoked', true, [], true, true],
      ['otherTenant', false, [], true, false],
    ]);
  });

  test('has fixtures that match their names', () => {
    expect(Object.entries(fixtures).filter(([, value]) => value.trim() === '')).toEqual([]);
    const { runId, reviewedRunId, fileId, runInputFileId, builderAttachmentFileId } = fixtures;
    expect(state.runs[runId]).toMatchObject({ status: 'completed', origin: 'top-level' });
    expect(state.runReviews[runId]).toBeUndefined();
    expect(state.runReviews[reviewedRunId]?.review).toMatchObject({ status: 'open' });
    expect(state.files[fileId]).toMatchObject({ purpose: null, sha256: fixtures.fileSha256 });
    const expiresAt = new Date(NOW + 86_400_000).toISOString();
    expect(state.files[runInputFileId]).toMatchObject({ purpose: 'run-input', expiresAt });
    expect(state.files[builderAttachmentFileId]).toMatchObject({
      purpose: 'builder-attachment',
      expiresAt,
    });
  });
});

describe('the sample data', () => {
  // A world has two tenants, and an upload the id of a file that does not exist yet.
  const records = Object.values(state)
    .flatMap((table: unknown): unknown[] => Object.values(Object(table)))
    .filter((one) => typeof one === 'object' && one !== null)
    .map((one) => one as { readonly id: string; readonly tenantId?: string })
    .filter(({ id }) => !/^(world|upload)_/.test(id));

  function tenantOf({ id, tenantId }: (typeof records)[number]): string | undefined {
    return tenantId ?? state.runs[id]?.tenantId;
  }

  test('names no id that it has not, and none of another tenant', () => {
    const owners = new Map<string, string | undefined>();
    const visit = (value: unknown, see: (name: string, text: string) => void, name = ''): void => {
      if (typeof value === 'string') see(name, value);
      else if (typeof value === 'object' && value !== null) {
        for (const [key, one] of Object.entries(value)) visit(one, see, key);
      }
    };
    for (const record of records) {
      visit(record, (name, text) => name === 'id' && owners.set(text, tenantOf(record)));
    }
    const foreign: string[] = [];
    for (const record of records) {
      visit(record, (name, text) => {
        if (!/(?<!world)Id$|By$/.test(name) || !/^[a-z]+_[0-9a-f]{20}$/.test(text)) return;
        const [own, owner] = [tenantOf(record), owners.get(text)];
        const isFine = owners.has(text) && [undefined, own].includes(owner);
        if (own !== undefined && !isFine) foreign.push(`${record.id} ${name} ${text}`);
      });
    }
    expect(owners.size).toBeGreaterThan(100);
    expect(foreign).toEqual([]);
  });

  test('has files with stored bytes and valid paths', () => {
    const lists = [
      ...Object.values(state.examples).flatMap(({ input, expected }) => [input, expected]),
      ...Object.values(state.runs).map(({ outputFiles }) => outputFiles),
      ...Object.values(state.runReviews).map(({ expectedFiles }) => expectedFiles),
    ];
    for (const list of lists) {
      const paths = list.map(({ path }) => path);
      expect(paths).toEqual([...new Set(paths)].toSorted());
      for (const path of paths) expect(readArtifactPath(path, 'path')).toBe(path);
    }
    const objects = Object.values(state.uploads).flatMap(({ object }) => object ?? []);
    for (const { sha256, size } of [...lists.flat(), ...Object.values(state.files), ...objects]) {
      expect(ASSETS.get(sha256)?.size).toBe(size);
    }
  });

  test('has review requests that match the dataset, except drifted input', () => {
    const examples = new Map(
      Object.values(state.examples).map((one) => [`${one.automationId} ${one.name}`, one]),
    );
    expect(examples.size).toBe(Object.keys(state.examples).length);
    for (const { name } of examples.values()) expect(readBasename(name, 'name')).toBe(name);
    for (const { automationId, status, closedAt, items } of Object.values(state.reviewRequests)) {
      expect(closedAt === null).toBe(status !== 'closed');
      for (const { exampleName, snapshotManifest, ...item } of items) {
        const example = examples.get(`${automationId} ${exampleName}`) ?? expect.unreachable();
        const paths = (files: typeof example.input): string[] => files.map(({ path }) => path);
        expect(snapshotManifest.expectedFiles.map(({ name }) => name)).toEqual(
          paths(example.expected),
        );
        expect(snapshotManifest.inputFileHashes.map(({ path }) => path)).toEqual(
          paths(example.input),
        );
        const isEdited =
          JSON.stringify(item.currentExpectedJson) !== JSON.stringify(item.snapshotExpectedJson);
        expect(isEdited).toBe(item.status === 'edited');
      }
    }
  });

  test('has runs with transitions of the graph, by a trigger that their automation has', () => {
    for (const run of Object.values(state.runs)) {
      const { triggers, type } = state.automations[run.automationId] ?? {};
      expect(type).toBe(run.type);
      expect(Object.entries(triggers ?? {})).toContainEqual([run.triggerType, true]);
      const [first, ...rest] = run.history;
      expect(first?.at).toBe(run.createdAt);
      let before = first;
      for (const one of rest) {
        expect(RUN_TRANSITIONS[before?.status ?? 'completed']).toContain(one.status);
        expect(one.at > (before?.at ?? '')).toBe(true);
        before = one;
      }
      expect(before?.status).toBe(run.status);
      const isOver = RUN_TRANSITIONS[run.status].length === 0;
      expect(run.completedAt).toBe(isOver ? before?.at : null);
      const { review } = state.runReviews[run.id] ?? {};
      if (review) expect((review.reviewedAt ?? '') > (run.completedAt ?? '?')).toBe(true);
    }
  });
});
