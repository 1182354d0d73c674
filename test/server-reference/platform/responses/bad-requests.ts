import type { RequestParts, Sandbox } from './sandbox.ts';

/** A request that the server refuses without a fault. */
type BadRequest = (sandbox: Sandbox) => RequestParts | Promise<RequestParts>;

/** No operation accepts a query that is not UTF-8. */
const BROKEN_QUERY: BadRequest = () => ({ query: '?x=%ff' });
const BAD_PAGE: BadRequest = () => ({ query: '?limit=0' });
const UNKNOWN: BadRequest = () => ({});

/** By operation and status, the requests that get 400, 404 and 409 without a fault. */
export const BAD_REQUESTS: Readonly<
  Record<string, Readonly<Partial<Record<400 | 404 | 409, BadRequest>>>>
> = {
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
    // This workflow can only be started by hand.
    409: ({ fixtures }) => ({ json: { target: fixtures.conflictingWorkflowId } }),
  },
  cancelRun: {
    400: BROKEN_QUERY,
    404: UNKNOWN,
    409: ({ fixtures }) => ({ path: { id: fixtures.runId } }),
  },
  getRun: { 400: BROKEN_QUERY, 404: UNKNOWN },
  getRunApp: { 400: BROKEN_QUERY, 404: UNKNOWN },
  getRunUsage: { 400: BROKEN_QUERY, 404: UNKNOWN },
  clearRunReviews: { 400: BROKEN_QUERY, 404: UNKNOWN },
  listExpectedReviewFiles: { 400: BROKEN_QUERY, 404: UNKNOWN },
  copyOutputToExpected: copies('copyOutputToExpected'),
  copyOutputToExpectedApp: copies('copyOutputToExpectedApp'),
  uploadFile: {
    400: () => ({ raw: 'x', headers: { 'content-type': 'multipart/form-data; boundary=edge' } }),
  },
  createFileUpload: { 400: () => ({ json: { filename: 'note.txt' } }) },
  completeFileUpload: {
    400: BROKEN_QUERY,
    404: UNKNOWN,
    409: ({ fixtures }) => ({ path: { uploadId: fixtures.emptyUploadId } }),
  },
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
