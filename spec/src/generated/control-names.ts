// Generated from spec/control.yaml by `npm run generate`. Do not edit.

/**
 * The name of every fixture that a world can have.
 *
 * @example
 * ```ts
 * import { WORLD_FIXTURE_NAMES } from '@hookproof/spec/control';
 *
 * const isFixture = (name: string): boolean => WORLD_FIXTURE_NAMES.some((one) => one === name);
 * console.log(isFixture('workflowId')); // true
 * ```
 */
export const WORLD_FIXTURE_NAMES = [
  'workflowId',
  'workflowSlug',
  'agentId',
  'agentSlug',
  'folderId',
  'draftReviewId',
  'openReviewId',
  'pausedReviewId',
  'closedReviewId',
  'reviewAutomationId',
  'otherTenantReviewId',
  'otherTenantAutomationId',
  'templateId',
  'runId',
  'outputFileName',
  'reviewedRunId',
  'otherTenantRunId',
  'datasetAutomationId',
  'datasetAutomationSlug',
  'exampleId',
  'exampleName',
  'inputFilePath',
  'expectedFilePath',
  'otherExampleId',
  'otherExampleName',
  'otherTenantExampleId',
  'exportParameter',
  'experimentId',
  'experimentAutomationId',
  'otherTenantExperimentId',
  'fileId',
  'fileSize',
  'fileSha256',
  'runInputFileId',
  'builderAttachmentFileId',
  'otherTenantFileId',
  'uploadId',
  'uploadSize',
  'uploadSha256',
  'emptyUploadId',
  'mismatchedUploadId',
  'otherTenantUploadId',
  'conflictingWorkflowId',
  'conflictingFolderId',
  'conflictOwnerId',
  'agentSearchParameter',
] as const;

/**
 * The name of every delivery fault.
 *
 * @example
 * ```ts
 * import { DELIVERY_FAULT_NAMES } from '@hookproof/spec/control';
 *
 * console.log(DELIVERY_FAULT_NAMES.join(', ')); // duplicate, reorder, ...
 * ```
 */
export const DELIVERY_FAULT_NAMES = [
  'duplicate',
  'reorder',
  'delay',
  'drop-then-redeliver',
  'stale-timestamp',
  'future-timestamp',
  'wrong-secret',
  'tampered-body',
  'truncated-body',
  'slow-drip',
] as const;
