import { correctedFile } from './good-requests.ts';
import { EVALUATION_BAD } from './evaluation-requests.ts';
import type { RequestParts, Sandbox } from './sandbox.ts';

/** A request that the server refuses without a fault. */
type BadRequest = (sandbox: Sandbox) => RequestParts | Promise<RequestParts>;

/** No operation accepts a query that is not UTF-8. */
const BROKEN_QUERY: BadRequest = () => ({ query: '?x=%ff' });
const BAD_PAGE: BadRequest = () => ({ query: '?limit=0' });
const UNKNOWN: BadRequest = () => ({});
/** Its workflow no longer exists. */
const WITHOUT_IMPLEMENTATION = 'workflows.fax-intake';

/** By operation and status, the requests that get 400, 404 and 409 without a fault. */
export const BAD_REQUESTS: Readonly<
  Record<string, Readonly<Partial<Record<400 | 404 | 409, BadRequest>>>>
> = {
  ...EVALUATION_BAD,
  checkAuth: { 400: BROKEN_QUERY },
  listDatasetReviewRequests: { 400: () => ({ query: '?status=lost' }) },
  updateDatasetReviewRequest: {
    400: (sandbox) => ({ path: reviewPath(sandbox), json: { title: 7 } }),
    404: (sandbox) => ({ path: { ...reviewPath(sandbox), reviewId: 'review_no' }, json: {} }),
    409: (sandbox) => ({
      path: { ...reviewPath(sandbox), reviewId: sandbox.fixtures.closedReviewId },
      json: { title: 'Too late' },
    }),
  },
  listAutomations: {
    400: () => ({ query: '?type=robot' }),
    404: () => ({ query: '?folderId=folder_no' }),
  },
  getAutomation: { 400: BROKEN_QUERY, 404: UNKNOWN },
  moveAutomation: {
    400: ({ fixtures }) => ({ path: { id: fixtures.agentId }, json: { folderPath: 'A' } }),
    404: () => ({ json: { folderPath: 'A' } }),
    409: ({ fixtures }) => ({
      path: { id: fixtures.conflictingWorkflowId },
      json: { folderId: fixtures.conflictingFolderId },
    }),
  },
  renameExpectedFile: {
    400: (sandbox) => ({ path: expectedPath(sandbox), json: { newFilename: '..' } }),
    404: (sandbox) => ({
      path: { ...expectedPath(sandbox), path: 'lost.json' },
      json: { newFilename: 'found.json' },
    }),
    409: async ({ fixtures, world, control }) => {
      const expected = ['one.txt', 'two.txt'].map((path) => ({ path, text: path }));
      const example = { worldId: world.id, name: 'twins', expected };
      const { id, automationId } = await control.expectOk<Record<string, string>>(
        201,
        '/examples',
        { ...example, automationId: fixtures.datasetAutomationId },
      );
      return {
        path: { id: automationId ?? '', exampleId: id ?? '', path: 'one.txt' },
        json: { newFilename: 'two.txt' },
      };
    },
  },
  deleteInputFile: {
    400: ({ fixtures }) => ({
      path: { id: fixtures.datasetAutomationId, exampleId: fixtures.exampleId, path: 'a//b' },
    }),
    404: UNKNOWN,
  },
  exportDataset: {
    400: ({ fixtures }) => ({
      path: { id: fixtures.datasetAutomationId },
      query: '?exampleIds=,',
    }),
    404: UNKNOWN,
  },
  getExperiment: { 400: BROKEN_QUERY, 404: UNKNOWN },
  listTemplates: { 400: BAD_PAGE },
  listAgents: { 400: BAD_PAGE },
  listRuns: { 400: BAD_PAGE, 404: () => ({ query: '?automationId=wf_no' }) },
  startRun: {
    400: () => ({ json: {} }),
    404: () => ({ json: { target: 'wf_no' } }),
    409: () => ({ json: { target: WITHOUT_IMPLEMENTATION } }),
  },
  cancelRun: { 400: BROKEN_QUERY, 404: UNKNOWN },
  rerunRun: {
    400: () => ({ query: '?wait_for_completion=601' }),
    404: UNKNOWN,
    409: async (sandbox) => {
      const { control, world } = sandbox;
      const { body } = await sandbox.send('getAutomation', {
        path: { id: WITHOUT_IMPLEMENTATION },
      });
      const run = await control.run({ worldId: world.id, automationId: body.id });
      return { path: { id: run.id } };
    },
  },
  listRunSteps: { 400: BROKEN_QUERY, 404: UNKNOWN },
  listRunEvents: { 400: BROKEN_QUERY, 404: UNKNOWN },
  getRunTrace: { 400: BROKEN_QUERY, 404: UNKNOWN },
  listRunScores: { 400: BROKEN_QUERY, 404: UNKNOWN },
  listRunArtifacts: { 400: BROKEN_QUERY, 404: UNKNOWN },
  downloadRunArtifact: { 400: BROKEN_QUERY, 404: UNKNOWN },
  getRun: { 400: BROKEN_QUERY, 404: UNKNOWN },
  getRunApp: { 400: BROKEN_QUERY, 404: UNKNOWN },
  getRunUsage: { 400: BROKEN_QUERY, 404: UNKNOWN },
  getRunReview: { 400: BROKEN_QUERY, 404: UNKNOWN },
  putRunReview: { 400: () => ({ json: { verdict: 7 } }), 404: () => ({ json: {} }) },
  updateRunReview: { 400: () => ({ json: { status: 7 } }), 404: () => ({ json: {} }) },
  clearRunReviews: { 400: BROKEN_QUERY, 404: UNKNOWN },
  listExpectedReviewFiles: { 400: BROKEN_QUERY, 404: UNKNOWN },
  promoteRun: {
    400: ({ fixtures }) => ({ path: { id: fixtures.runId }, json: { name: '' } }),
    404: () => ({ json: {} }),
    409: async ({ control, world }) => ({
      path: { id: (await control.run({ worldId: world.id })).id },
      json: {},
    }),
  },
  addExpectedReviewFile: copies('addExpectedReviewFile'),
  getExpectedReviewFile: { 400: BROKEN_QUERY, 404: UNKNOWN },
  renameExpectedReviewFile: {
    400: async (sandbox) => ({ path: await correctedFile(sandbox), json: { name: '..' } }),
    404: () => ({ json: { name: 'found.csv' } }),
    409: async (sandbox) => {
      const path = await correctedFile(sandbox);
      await sandbox.send('copyOutputToExpected', copy(sandbox, 'taken.csv'));
      return { path, json: { name: 'taken.csv' } };
    },
  },
  deleteExpectedReviewFile: { 400: BROKEN_QUERY, 404: UNKNOWN },
  copyOutputToExpected: copies('copyOutputToExpected'),
  copyOutputToExpectedApp: copies('copyOutputToExpectedApp'),
  uploadFile: {
    400: () => ({ raw: 'x', headers: { 'content-type': 'multipart/form-data; boundary=edge' } }),
  },
  createFileUpload: {
    400: () => ({ json: { filename: 'note.txt' } }),
    409: async (sandbox) => {
      const json = { filename: 'a', contentType: 'text/plain', size: 5, idempotencyKey: 'one' };
      await sandbox.send('createFileUpload', { json });
      return { json: { ...json, size: 6 } };
    },
  },
  completeFileUpload: {
    400: BROKEN_QUERY,
    404: UNKNOWN,
    409: ({ fixtures }) => ({ path: { uploadId: fixtures.emptyUploadId } }),
  },
  abortFileUpload: {
    400: BROKEN_QUERY,
    404: UNKNOWN,
    409: async (sandbox) => {
      const path = { uploadId: sandbox.fixtures.uploadId };
      await sandbox.send('completeFileUpload', { path });
      return { path };
    },
  },
  deleteFile: { 400: BROKEN_QUERY, 404: UNKNOWN },
  getFile: { 400: BROKEN_QUERY, 404: UNKNOWN },
  getFileContent: { 400: BROKEN_QUERY, 404: UNKNOWN },
};

function reviewPath({ fixtures }: Sandbox): Record<string, string> {
  return { id: fixtures.reviewAutomationId, reviewId: fixtures.openReviewId };
}

function expectedPath({ fixtures }: Sandbox): Record<string, string> {
  const { datasetAutomationId: id, exampleId, expectedFilePath: path } = fixtures;
  return { id, exampleId, path };
}

function copy({ fixtures }: Sandbox, expectedName: string): RequestParts {
  return {
    path: { id: fixtures.runId },
    json: { outputFileName: fixtures.outputFileName, expectedName },
  };
}

function copies(operationId: string): Record<400 | 404 | 409, BadRequest> {
  return {
    400: (sandbox) => copy(sandbox, '../../up.csv'),
    404: ({ fixtures }) => ({ path: { id: fixtures.runId }, json: { outputFileName: 'lost' } }),
    409: async (sandbox) => {
      await sandbox.send(operationId, copy(sandbox, 'table'));
      return copy(sandbox, 'table/part.csv');
    },
  };
}
