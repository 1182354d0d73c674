import type { State } from '../../platform/state/state.ts';
import type { World } from '../../platform/state/world.ts';
import type { SeededContents } from './seed-contents.ts';

/** Names what a test needs of the seeded tenant and of its neighbour. */
export function nameFixtures(
  { files, uploads }: State,
  own: SeededContents,
  other: SeededContents,
): World['fixtures'] {
  const dataset = 'delivery-note-reader';
  const exampleName = 'northway-48213';
  const otherExampleName = 'Müller & Söhne 2217';
  const experiment = 'New carrier list';
  const datasetAutomationId = known(own.automations, dataset);
  const fileId = known(own.files, 'rate-sheet-2026.csv');
  const uploadId = known(own.uploads, 'manifest-march.csv');
  const [draftReviewId = '', openReviewId = '', pausedReviewId = '', closedReviewId = ''] =
    own.reviews;
  const [runId = '', reviewedRunId = ''] = own.runs;
  return {
    workflowId: known(own.automations, 'invoice-matcher'),
    workflowSlug: 'invoice-matcher',
    agentId: known(own.automations, 'freight-quote'),
    agentSlug: 'freight-quote',
    folderId: known(own.folders, 'Finance'),
    draftReviewId,
    openReviewId,
    pausedReviewId,
    closedReviewId,
    reviewAutomationId: datasetAutomationId,
    otherTenantReviewId: other.reviews[1] ?? '',
    otherTenantAutomationId: known(other.automations, dataset),
    templateId: own.templates[0] ?? '',
    runId,
    outputFileName: 'matched-invoices.csv',
    reviewedRunId,
    otherTenantRunId: other.runs[0] ?? '',
    datasetAutomationId,
    datasetAutomationSlug: dataset,
    exampleId: known(own.examples, `${dataset}/${exampleName}`),
    exampleName,
    inputFilePath: 'scans/page-1.png',
    expectedFilePath: 'reports/summary.json',
    otherExampleId: known(own.examples, `${dataset}/${otherExampleName}`),
    otherExampleName,
    otherTenantExampleId: known(other.examples, `${dataset}/${exampleName}`),
    exportParameter: 'exampleIds',
    experimentId: known(own.experiments, experiment),
    experimentAutomationId: datasetAutomationId,
    otherTenantExperimentId: known(other.experiments, experiment),
    fileId,
    fileSize: String(files[fileId]?.size),
    fileSha256: files[fileId]?.sha256 ?? '',
    runInputFileId: known(own.files, 'note-to-read.pdf'),
    builderAttachmentFileId: known(own.files, 'columns.json'),
    otherTenantFileId: known(other.files, 'rate-sheet-2026.csv'),
    uploadId,
    uploadSize: String(uploads[uploadId]?.declared.size),
    uploadSha256: uploads[uploadId]?.declared.sha256 ?? '',
    emptyUploadId: known(own.uploads, 'manifest-april.csv'),
    mismatchedUploadId: known(own.uploads, 'manifest-cut-off.csv'),
    otherTenantUploadId: known(other.uploads, 'manifest-march.csv'),
    conflictingWorkflowId: known(own.automations, 'card-statement-import'),
    conflictingFolderId: known(own.folders, 'Finance/Statements'),
    conflictOwnerId: known(own.automations, 'bank-statement-import'),
    agentSearchParameter: 'search',
  };
}

function known(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`the seeded world has no ${name}`);
  return id;
}
