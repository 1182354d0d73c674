/** The keys that a run can hold. `main` is the key of the deployment's owner, best a wildcard key. */
export const KEY_NAMES = ['main', 'reviewer', 'ocr', 'workflow', 'otherTenant'] as const;
export type KeyName = (typeof KEY_NAMES)[number];

/** Everything that `fixtures.json` may name; learning fills in what it can. Each value is a non-empty string. */
export const FIXTURE_NAMES = [
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
  'bodyLimitBytes',
  'agentSearchParameter',
] as const;
export type FixtureName = (typeof FIXTURE_NAMES)[number];

/** Something learned about the target, and where it came from. */
export interface Fact {
  readonly value: string;
  /** "fixtures.json", "control interface", "GET /v1/templates". */
  readonly source: string;
}

/** What a run knows about its target before the first check. */
export interface Facts {
  readonly keys: Readonly<Partial<Record<KeyName, Fact>>>;
  readonly fixtures: Readonly<Partial<Record<FixtureName, Fact>>>;
}

/** Values as facts of one source; what is undefined is left out. */
export function factsFrom<Name extends string>(
  values: Readonly<Partial<Record<Name, string | undefined>>>,
  source: string,
): Partial<Record<Name, Fact>> {
  const known: Partial<Record<Name, Fact>> = {};
  for (const name in values) {
    const value = values[name];
    if (value !== undefined) known[name] = { value, source };
  }
  return known;
}
