import { EVALUATION_GOOD } from './evaluation-requests.ts';
import type { RequestParts, Sandbox } from './sandbox.ts';

const MOVE = { folderPath: 'Responses' };
const UPLOAD = { filename: 'note.txt', contentType: 'text/plain', size: 5 };

/** A request of each operation that succeeds in a new world. */
export const GOOD_REQUESTS: Readonly<
  Record<string, (sandbox: Sandbox) => RequestParts | Promise<RequestParts>>
> = {
  ...EVALUATION_GOOD,
  checkAuth: () => ({}),
  listDatasetReviewRequests: () => ({ query: '?status=open' }),
  updateDatasetReviewRequest: ({ fixtures: { reviewAutomationId, openReviewId } }) => ({
    path: { id: reviewAutomationId, reviewId: openReviewId },
    json: { title: 'Renamed' },
  }),
  listAutomations: () => ({}),
  getAutomation: ({ fixtures }) => ({ path: { id: fixtures.workflowId } }),
  moveAutomation: ({ fixtures }) => ({ path: { id: fixtures.workflowId }, json: MOVE }),
  renameExpectedFile: ({ fixtures }) => ({
    path: {
      id: fixtures.datasetAutomationId,
      exampleId: fixtures.exampleId,
      path: fixtures.expectedFilePath,
    },
    json: { newFilename: 'renamed.json' },
  }),
  deleteInputFile: ({ fixtures }) => ({
    path: {
      id: fixtures.datasetAutomationId,
      exampleId: fixtures.exampleId,
      path: fixtures.inputFilePath,
    },
  }),
  exportDataset: ({ fixtures }) => ({ path: { id: fixtures.datasetAutomationId } }),
  getExperiment: ({ fixtures }) => ({ path: { experimentId: fixtures.experimentId } }),
  listTemplates: () => ({ query: '?limit=1' }),
  listAgents: () => ({ query: '?limit=1' }),
  listRuns: ({ fixtures }) => ({ query: `?automationId=${fixtures.workflowId}` }),
  startRun: ({ fixtures }) => ({ json: { target: fixtures.workflowId } }),
  cancelRun: async (sandbox) => ({ path: { id: await openRun(sandbox) } }),
  rerunRun: ({ fixtures }) => ({ path: { id: fixtures.runId } }),
  listRunSteps: ({ fixtures }) => ({ path: { id: fixtures.runId } }),
  listRunEvents: ({ fixtures }) => ({ path: { id: fixtures.runId } }),
  getRunTrace: ({ fixtures }) => ({ path: { id: fixtures.runId } }),
  listRunScores: ({ fixtures }) => ({ path: { id: fixtures.runId } }),
  listRunArtifacts: ({ fixtures }) => ({ path: { id: fixtures.runId } }),
  downloadRunArtifact: ({ fixtures }) => ({
    path: { id: fixtures.runId, path: `output/${fixtures.outputFileName}` },
  }),
  getRun: ({ fixtures }) => ({ path: { id: fixtures.runId } }),
  getRunApp: ({ fixtures }) => ({ path: { id: fixtures.runId } }),
  getRunUsage: ({ fixtures }) => ({ path: { id: fixtures.runId } }),
  getRunReview: ({ fixtures }) => ({ path: { id: fixtures.reviewedRunId } }),
  putRunReview: ({ fixtures }) => ({ path: { id: fixtures.runId }, json: {} }),
  updateRunReview: ({ fixtures }) => ({ path: { id: fixtures.reviewedRunId }, json: {} }),
  clearRunReviews: ({ fixtures }) => ({ path: { id: fixtures.reviewedRunId } }),
  listExpectedReviewFiles: ({ fixtures }) => ({ path: { id: fixtures.reviewedRunId } }),
  promoteRun: ({ fixtures }) => ({ path: { id: fixtures.runId }, json: { name: 'made' } }),
  addExpectedReviewFile: copy,
  getExpectedReviewFile: async (sandbox) => ({ path: await correctedFile(sandbox) }),
  renameExpectedReviewFile: async (sandbox) => ({
    path: await correctedFile(sandbox),
    json: { name: 'renamed.csv' },
  }),
  deleteExpectedReviewFile: async (sandbox) => ({ path: await correctedFile(sandbox) }),
  copyOutputToExpected: copy,
  copyOutputToExpectedApp: copy,
  uploadFile: () => ({ form: 'hello' }),
  createFileUpload: () => ({ json: UPLOAD }),
  completeFileUpload: ({ fixtures }) => ({ path: { uploadId: fixtures.uploadId } }),
  abortFileUpload: ({ fixtures }) => ({ path: { uploadId: fixtures.uploadId } }),
  deleteFile: ({ fixtures }) => ({ path: { id: fixtures.fileId } }),
  getFile: ({ fixtures }) => ({ path: { id: fixtures.fileId } }),
  getFileContent: ({ fixtures }) => ({ path: { id: fixtures.fileId } }),
};

function copy({ fixtures }: Sandbox): RequestParts {
  return { path: { id: fixtures.runId }, json: { outputFileName: fixtures.outputFileName } };
}

/** The path of a corrected file that the run then has. */
export async function correctedFile(sandbox: Sandbox): Promise<Record<string, string>> {
  const { id } = { id: sandbox.fixtures.runId };
  const copied = copy(sandbox);
  await sandbox.send('copyOutputToExpected', copied);
  return { id, filename: sandbox.fixtures.outputFileName };
}

async function openRun({ control, world }: Sandbox): Promise<string> {
  return (await control.run({ worldId: world.id })).id;
}
