/** A tenant with a neighbour, their keys, and the ids of every fixture: what one test needs. */
export interface World {
  id: string;
  tenantId: string;
  keys: {
    /** Covers every capability. */
    wildcard: string;
    /** `dataset_review:read` alone. */
    reviewer: string;
    /** `ocr:full`: restricted to OCR. */
    ocr: string;
    /** `workflow:read` alone. */
    workflow: string;
    /** Was withdrawn: not valid. */
    revoked: string;
    /** Covers every capability of the other tenant. */
    otherTenant: string;
  };
  fixtures: {
    workflowId: string;
    workflowSlug: string;
    agentId: string;
    agentSlug: string;
    folderId: string;
    draftReviewId: string;
    openReviewId: string;
    pausedReviewId: string;
    closedReviewId: string;
    /** The automation that owns the four review requests above. */
    reviewAutomationId: string;
    otherTenantReviewId: string;
    otherTenantAutomationId: string;
    templateId: string;
    /** A completed run with an output file, and without a review. */
    runId: string;
    /** The name of an output file of that run. */
    outputFileName: string;
    /** A completed run with a review, corrections and corrected files. */
    reviewedRunId: string;
    otherTenantRunId: string;
    /** Owner of the dataset; the slug also stands in `workflows.<slug>`. */
    datasetAutomationId: string;
    datasetAutomationSlug: string;
    /** An example of it, with its name, one of its input files and one of its expected files. */
    exampleId: string;
    exampleName: string;
    inputFilePath: string;
    /** Below a folder of the expected folder. */
    expectedFilePath: string;
    /** Another example of it. */
    otherExampleId: string;
    otherExampleName: string;
    otherTenantExampleId: string;
    /** The name of the parameter of the export that chooses examples, which the contract leaves open. */
    exportParameter: string;
    experimentId: string;
    experimentAutomationId: string;
    otherTenantExperimentId: string;
    /** A durable file, its size in bytes and the SHA-256 of its bytes. */
    fileId: string;
    fileSize: string;
    fileSha256: string;
    runInputFileId: string;
    builderAttachmentFileId: string;
    otherTenantFileId: string;
    /** An upload whose bytes have arrived and fit; their size and SHA-256. */
    uploadId: string;
    uploadSize: string;
    uploadSha256: string;
    /** One whose bytes never came, and one whose bytes are not what was declared. */
    emptyUploadId: string;
    mismatchedUploadId: string;
    otherTenantUploadId: string;
    /** Moving this workflow into that folder is a conflict with that other workflow. */
    conflictingWorkflowId: string;
    conflictingFolderId: string;
    conflictOwnerId: string;
    /** The name of the search parameter of the agents list, which the contract leaves open. */
    agentSearchParameter: string;
  };
}
