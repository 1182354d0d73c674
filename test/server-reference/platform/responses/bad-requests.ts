import type { Ask, Stage } from './sandbox.ts';

/** A request that the server refuses by itself. */
type BadRequest = (stage: Stage) => Ask | Promise<Ask>;

/** No operation takes a query that is not UTF-8. */
const BROKEN_QUERY: BadRequest = () => ({ query: '?x=%ff' });
const BAD_PAGE: BadRequest = () => ({ query: '?limit=0' });
const UNKNOWN: BadRequest = () => ({});

/** By operation and status, what the server answers with 400, 404 and 409 without a planted fault. */
export const BAD_REQUESTS: Readonly<
  Record<string, Readonly<Partial<Record<400 | 404 | 409, BadRequest>>>>
> = {
  checkAuth: { 400: BROKEN_QUERY },
  listDatasetReviewRequests: { 400: () => ({ query: '?status=lost' }) },
  updateDatasetReviewRequest: {
    400: (stage) => ({ path: reviewPath(stage), json: { title: 7 } }),
    404: (stage) => ({ path: { ...reviewPath(stage), reviewId: 'review_no' }, json: {} }),
    409: (stage) => ({
      path: { ...reviewPath(stage), reviewId: stage.fixtures.closedReviewId },
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
    400: (stage) => ({ path: expectedPath(stage), json: { newFilename: '..' } }),
    404: (stage) => ({
      path: { ...expectedPath(stage), path: 'lost.json' },
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
    // It is started by hand alone.
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

function reviewPath({ fixtures }: Stage): Record<string, string> {
  return { id: fixtures.reviewAutomationId, reviewId: fixtures.openReviewId };
}

function expectedPath({ fixtures }: Stage): Record<string, string> {
  const { datasetAutomationId: id, exampleId, expectedFilePath: path } = fixtures;
  return { id, exampleId, path };
}

function copy({ fixtures }: Stage, expectedName: string): Ask {
  return {
    path: { id: fixtures.runId },
    json: { outputFileName: fixtures.outputFileName, expectedName },
  };
}

function copies(operationId: string): Record<400 | 404 | 409, BadRequest> {
  return {
    400: (stage) => copy(stage, '../../up.csv'),
    404: ({ fixtures }) => ({ path: { id: fixtures.runId }, json: { outputFileName: 'lost' } }),
    409: async (stage) => {
      await stage.ask(operationId, copy(stage, 'table'));
      return copy(stage, 'table/part.csv');
    },
  };
}
