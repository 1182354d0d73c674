import type { World } from '../../store/world.ts';
import type { ReadonlyState } from '../../store/state.ts';
import { idOf } from './seeding.ts';
import type { TenantContents } from './seeding.ts';

const DATASET = 'delivery-note-reader';
const EXAMPLE = 'northway-48213';
const OTHER_EXAMPLE = 'Müller & Söhne 2217';
const OPEN_REVIEW = 'Carrier names after the merger';
const EXPERIMENT = 'New carrier list';
const RATE_SHEET = 'rate-sheet-2026.csv';
const MANIFEST = 'manifest-march.csv';

/** Returns the fixtures of a world, from its own tenant and the other tenant. */
export function fixturesOf(
  { files, uploads }: ReadonlyState,
  own: TenantContents,
  other: TenantContents,
): World['fixtures'] {
  const datasetAutomationId = idOf(own.automations, DATASET);
  const fileId = idOf(own.files, RATE_SHEET);
  const uploadId = idOf(own.uploads, MANIFEST);
  return {
    workflowId: idOf(own.automations, 'invoice-matcher'),
    workflowSlug: 'invoice-matcher',
    agentId: idOf(own.automations, 'freight-quote'),
    agentSlug: 'freight-quote',
    folderId: idOf(own.folders, 'Finance'),
    draftReviewId: idOf(own.reviews, 'Pallet counts of March'),
    openReviewId: idOf(own.reviews, OPEN_REVIEW),
    pausedReviewId: idOf(own.reviews, 'Dates on hand-written notes'),
    closedReviewId: idOf(own.reviews, 'Totals of the first quarter'),
    reviewAutomationId: datasetAutomationId,
    otherTenantReviewId: idOf(other.reviews, OPEN_REVIEW),
    otherTenantAutomationId: idOf(other.automations, DATASET),
    templateId: idOf(own.templates, 'Claim letter'),
    runId: idOf(own.runs, 'completed'),
    outputFileName: 'matched-invoices.csv',
    reviewedRunId: idOf(own.runs, 'reviewed'),
    otherTenantRunId: idOf(other.runs, 'completed'),
    datasetAutomationId,
    datasetAutomationSlug: DATASET,
    exampleId: idOf(own.examples, `${DATASET}/${EXAMPLE}`),
    exampleName: EXAMPLE,
    inputFilePath: 'scans/page-1.png',
    expectedFilePath: 'reports/summary.json',
    otherExampleId: idOf(own.examples, `${DATASET}/${OTHER_EXAMPLE}`),
    otherExampleName: OTHER_EXAMPLE,
    otherTenantExampleId: idOf(other.examples, `${DATASET}/${EXAMPLE}`),
    exportParameter: 'exampleIds',
    experimentId: idOf(own.experiments, EXPERIMENT),
    experimentAutomationId: datasetAutomationId,
    otherTenantExperimentId: idOf(other.experiments, EXPERIMENT),
    fileId,
    fileSize: String(files.get(fileId)?.size),
    fileSha256: files.get(fileId)?.sha256 ?? '',
    runInputFileId: idOf(own.files, 'note-to-read.pdf'),
    builderAttachmentFileId: idOf(own.files, 'columns.json'),
    otherTenantFileId: idOf(other.files, RATE_SHEET),
    uploadId,
    uploadSize: String(uploads.get(uploadId)?.declared.size),
    uploadSha256: uploads.get(uploadId)?.declared.sha256 ?? '',
    emptyUploadId: idOf(own.uploads, 'manifest-april.csv'),
    mismatchedUploadId: idOf(own.uploads, 'manifest-cut-off.csv'),
    otherTenantUploadId: idOf(other.uploads, MANIFEST),
    conflictingWorkflowId: idOf(own.automations, 'card-statement-import'),
    conflictingFolderId: idOf(own.folders, 'Finance/Statements'),
    conflictOwnerId: idOf(own.automations, 'bank-statement-import'),
    agentSearchParameter: 'search',
  };
}
