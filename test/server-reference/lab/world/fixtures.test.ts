import { REVIEW_STATUSES } from '@hookproof/spec';
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

  test('automations and folders', () => {
    expect(state.automations[fixtures.workflowId]).toMatchObject({
      ...own,
      type: 'workflow',
      slug: fixtures.workflowSlug,
      folderId: null,
      triggers: { api: true },
      implementationAvailable: true,
    });
    expect(state.automations[fixtures.agentId]).toMatchObject({
      ...own,
      type: 'agent',
      slug: fixtures.agentSlug,
    });
    expect(state.agents[fixtures.agentId]).toMatchObject({ ...own, archived: false });
    expect(state.folders[fixtures.folderId]).toMatchObject({ ...own, name: 'Finance' });
    expect(state.templates[fixtures.templateId]).toMatchObject(own);
  });

  test('a move that conflicts with the name of another workflow', () => {
    const mover = state.automations[fixtures.conflictingWorkflowId];
    const owner = state.automations[fixtures.conflictOwnerId];
    expect(mover).toMatchObject({ ...own, type: 'workflow', name: owner?.name });
    expect(owner).toMatchObject({ ...own, folderId: fixtures.conflictingFolderId });
    expect(mover?.folderId).not.toBe(fixtures.conflictingFolderId);
    expect(state.folders[fixtures.conflictingFolderId]).toMatchObject(own);
  });

  test('review requests', () => {
    for (const status of REVIEW_STATUSES) {
      expect(state.reviewRequests[fixtures[`${status}ReviewId`]]).toMatchObject({
        ...own,
        status,
        automationId: fixtures.reviewAutomationId,
      });
    }
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

  test('the dataset', () => {
    expect(state.automations[fixtures.datasetAutomationId]).toMatchObject({
      ...own,
      type: 'workflow',
      slug: fixtures.datasetAutomationSlug,
    });
    const example = state.examples[fixtures.exampleId];
    const other = state.examples[fixtures.otherExampleId];
    const home = { ...own, automationId: fixtures.datasetAutomationId };
    expect(example).toMatchObject({ ...home, name: fixtures.exampleName });
    expect(other).toMatchObject({ ...home, name: fixtures.otherExampleName });
    expect(fixtures.otherExampleName).toMatch(/[^ -~]/);
    expect(paths(example?.input)).toContain(fixtures.inputFilePath);
    expect(paths(example?.expected)).toContain(fixtures.expectedFilePath);
    expect(fixtures.expectedFilePath).toContain('/');
    expect(state.experiments[fixtures.experimentId]).toMatchObject({
      ...own,
      automationId: fixtures.experimentAutomationId,
    });
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

  test('uploads: matching, never sent, different from the declaration', () => {
    const fitting = state.uploads[fixtures.uploadId];
    const declared = { size: Number(fixtures.uploadSize), sha256: fixtures.uploadSha256 };
    expect(fitting).toMatchObject({ ...own, declared, object: declared, completedAt: null });
    expect(state.uploads[fixtures.emptyUploadId]).toMatchObject({
      ...own,
      object: null,
      completedAt: null,
    });
    const other = state.uploads[fixtures.mismatchedUploadId];
    expect(other).toMatchObject({ ...own, completedAt: null });
    expect(other?.object?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(other?.object).not.toEqual(other?.declared);
    for (const upload of [fitting, state.uploads[fixtures.emptyUploadId], other]) {
      expect(Date.parse(upload?.expiresAt ?? '')).toBeGreaterThan(NOW);
    }
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
