import type { World } from '../state/world.ts';
import type { State } from '../store/state.ts';
import { seedAgents } from './seed-agents.ts';
import { seedWorkflows } from './seed-automations.ts';
import { seedReviews } from './seed-reviews.ts';
import { seedRuns } from './seed-runs.ts';
import { seedTemplates } from './seed-templates.ts';
import { seedApiKey, seedTenant } from './seed-tenant.ts';
import { startSeeding } from './seeding.ts';

/**
 * Adds a world to the state: a tenant and its neighbour with automations, folders, agents, templates,
 * review requests, runs and API keys. Nothing is shared with other worlds. Call it inside a commit.
 *
 * The ids and the keys follow from the seed of the state and from what was drawn before, so the first
 * world of a given seed has the same keys on every machine.
 *
 * @param now - milliseconds since the epoch; the world's past is laid before this moment
 */
export function createWorld(state: State, now: number): World {
  const seeding = startSeeding(state, now);
  const id = seeding.id('world_');

  const tenant = seedTenant(seeding, id, 'Brookside Freight', 'Ines Aalto');
  const { workflowIds, folderIds } = seedWorkflows(seeding, tenant);
  const agentIds = seedAgents(seeding, tenant);
  const templateIds = seedTemplates(seeding, tenant);
  const workflowSlug = 'invoice-matcher';
  const workflowId = known(workflowIds, workflowSlug);
  const reviewAutomationId = known(workflowIds, 'delivery-note-reader');
  const agentSlug = 'freight-quote';
  const agentId = known(agentIds, agentSlug);
  const reviews = seedReviews(seeding, tenant, reviewAutomationId);
  const runId = seedRuns(seeding, id, tenant, { id: workflowId, type: 'workflow' });
  seedRuns(seeding, id, tenant, { id: agentId, type: 'agent' });

  const neighbour = seedTenant(seeding, id, 'Harbour Insurance', 'Tomas Reyes');
  const otherWorkflows = seedWorkflows(seeding, neighbour).workflowIds;
  const otherTenantAutomationId = known(otherWorkflows, 'delivery-note-reader');
  const otherReviews = seedReviews(seeding, neighbour, otherTenantAutomationId, 3);
  seedAgents(seeding, neighbour);
  seedTemplates(seeding, neighbour);
  seedRuns(seeding, id, neighbour, { id: otherTenantAutomationId, type: 'workflow' });

  const world: World = {
    id,
    tenantId: tenant.id,
    keys: {
      wildcard: seedApiKey(seeding, tenant, 'Everything', []),
      reviewer: seedApiKey(seeding, tenant, 'Reviewer', ['dataset_review:read']),
      ocr: seedApiKey(seeding, tenant, 'OCR station', ['ocr:full']),
      workflow: seedApiKey(seeding, tenant, 'Workflow reader', ['workflow:read']),
      revoked: '',
      otherTenant: seedApiKey(seeding, neighbour, 'Everything', []),
    },
    fixtures: {
      workflowId,
      workflowSlug,
      agentId,
      agentSlug,
      folderId: known(folderIds, 'Finance'),
      draftReviewId: reviews[0] ?? '',
      openReviewId: reviews[1] ?? '',
      pausedReviewId: reviews[2] ?? '',
      closedReviewId: reviews[3] ?? '',
      reviewAutomationId,
      otherTenantReviewId: otherReviews[1] ?? '',
      otherTenantAutomationId,
      templateId: templateIds[0] ?? '',
      runId,
      outputFileName: '',
      reviewedRunId: '',
      otherTenantRunId: '',
      datasetAutomationId: '',
      datasetAutomationSlug: '',
      exampleId: '',
      exampleName: '',
      inputFilePath: '',
      expectedFilePath: '',
      otherExampleId: '',
      otherExampleName: '',
      otherTenantExampleId: '',
      exportParameter: '',
      experimentId: '',
      experimentAutomationId: '',
      otherTenantExperimentId: '',
      fileId: '',
      fileSize: '',
      fileSha256: '',
      runInputFileId: '',
      builderAttachmentFileId: '',
      otherTenantFileId: '',
      uploadId: '',
      uploadSize: '',
      uploadSha256: '',
      emptyUploadId: '',
      mismatchedUploadId: '',
      otherTenantUploadId: '',
      conflictingWorkflowId: '',
      conflictingFolderId: '',
      conflictOwnerId: '',
      agentSearchParameter: 'search',
    },
  };
  state.worlds[id] = world;
  return world;
}

function known(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`the seeded world has no ${name}`);
  return id;
}
