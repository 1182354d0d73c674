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
    runId: string;
    /** The name of the search parameter of the agents list, which the contract leaves open. */
    agentSearchParameter: string;
  };
}
