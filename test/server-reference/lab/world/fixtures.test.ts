import { describe, expect, test } from 'vitest';

import { NOW, seeded } from './seeded.ts';

const { state, world } = seeded();
const { tenantId, fixtures } = world;
const own = { tenantId };

function paths(files: readonly { path: string }[] | undefined): string[] {
  return (files ?? []).map(({ path }) => path);
}

describe('fixtures match their names', () => {
  test('every fixture has a value', () => {
    expect(Object.entries(fixtures).filter(([, value]) => value.trim() === '')).toEqual([]);
  });

  test('runs', () => {
    const run = state.runs[fixtures.runId];
    expect(run).toMatchObject({
      ...own,
      automationId: fixtures.workflowId,
      status: 'completed',
      origin: 'top-level',
    });
    expect(paths(run?.outputFiles)).toContain(fixtures.outputFileName);
    expect(state.runReviews[fixtures.runId]).toBeUndefined();

    expect(state.runs[fixtures.reviewedRunId]).toMatchObject({ ...own, status: 'completed' });
    const { review, expectedFiles } = state.runReviews[fixtures.reviewedRunId] ?? {};
    expect(review).toMatchObject({ status: 'open', closedAt: null });
    const kinds = (review?.corrections ?? []).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'field').length).toBeGreaterThanOrEqual(2);
    expect(expectedFiles?.length).toBeGreaterThanOrEqual(1);
  });

  test('files; temporary files live for a whole day', () => {
    const { fileId, runInputFileId, builderAttachmentFileId } = fixtures;
    expect(state.files[fileId]).toMatchObject({ ...own, purpose: null, expiresAt: null });
    expect(String(state.files[fileId]?.size)).toBe(fixtures.fileSize);
    expect(state.files[fileId]?.sha256).toBe(fixtures.fileSha256);
    const life = {
      createdAt: new Date(NOW).toISOString(),
      expiresAt: new Date(NOW + 86_400_000).toISOString(),
    };
    expect(state.files[runInputFileId]).toMatchObject({ ...own, purpose: 'run-input', ...life });
    expect(state.files[builderAttachmentFileId]).toMatchObject({
      ...own,
      purpose: 'builder-attachment',
      ...life,
    });
  });

  test('resources of the other tenant', () => {
    const others = [
      state.automations[fixtures.otherTenantAutomationId],
      state.reviewRequests[fixtures.otherTenantReviewId],
      state.runs[fixtures.otherTenantRunId],
      state.examples[fixtures.otherTenantExampleId],
      state.experiments[fixtures.otherTenantExperimentId],
      state.files[fixtures.otherTenantFileId],
      state.uploads[fixtures.otherTenantUploadId],
    ];
    const tenants = new Set(others.map((record) => record?.tenantId));
    expect(tenants.size).toBe(1);
    expect([undefined, tenantId]).not.toContain([...tenants][0]);
    for (const record of [others[1], others[3], others[4]]) {
      expect(record).toMatchObject({ automationId: fixtures.otherTenantAutomationId });
    }
  });
});
