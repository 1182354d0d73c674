import { OPERATIONS } from './documented-pairs.ts';
import type { RequestParts, Sandbox } from './sandbox.ts';

type Path = (sandbox: Sandbox) => Readonly<Record<string, string>>;
type Build = RequestParts | ((sandbox: Sandbox) => RequestParts | Promise<RequestParts>);

/** A request that succeeds in a new world, and those that the server refuses without a fault. */
interface Requests {
  readonly good: Build;
  /** Default: a query that is not UTF-8, which no operation accepts. */
  readonly 400?: Build;
  /** Default: the good request with unknown ids in its path. */
  readonly 404?: Build;
  /** Default: none; only a fault produces it. */
  readonly 409?: Build;
}

const review: Path = ({ fixtures }) => ({
  id: fixtures.reviewAutomationId,
  reviewId: fixtures.openReviewId,
});
const workflow: Path = ({ fixtures }) => ({ id: fixtures.workflowId });
const dataset: Path = ({ fixtures }) => ({ id: fixtures.datasetAutomationId });
const example: Path = (sandbox) => ({ ...dataset(sandbox), exampleId: sandbox.fixtures.exampleId });
const inputFile: Path = (sandbox) => ({
  ...example(sandbox),
  path: sandbox.fixtures.inputFilePath,
});
const expectedFile: Path = (sandbox) => ({
  ...example(sandbox),
  path: sandbox.fixtures.expectedFilePath,
});
const experiment: Path = (sandbox) => ({
  ...dataset(sandbox),
  experimentId: sandbox.fixtures.experimentId,
});
const run: Path = ({ fixtures }) => ({ id: fixtures.runId });
const reviewedRun: Path = ({ fixtures }) => ({ id: fixtures.reviewedRunId });
const upload: Path = ({ fixtures }) => ({ uploadId: fixtures.uploadId });
const file: Path = ({ fixtures }) => ({ id: fixtures.fileId });

function at(path: Path, parts: RequestParts = {}): Build {
  return (sandbox) => ({ path: path(sandbox), ...parts });
}

/** The request of a copy of the output file, by default to its own name. */
function copy({ fixtures }: Sandbox, expectedName?: string): RequestParts {
  const name = expectedName === undefined ? {} : { expectedName };
  return {
    path: { id: fixtures.runId },
    json: { outputFileName: fixtures.outputFileName, ...name },
  };
}

/** A corrected file that the run then has. */
async function correctedFile(sandbox: Sandbox, json?: object): Promise<RequestParts> {
  await sandbox.send('copyOutputToExpected', copy(sandbox));
  const { runId: id, outputFileName: filename } = sandbox.fixtures;
  return { path: { id, filename }, json };
}

function copies(operationId: string): Requests {
  return {
    good: (sandbox) => copy(sandbox),
    400: (sandbox) => copy(sandbox, '../../up.csv'),
    409: async (sandbox) => {
      await sandbox.send(operationId, copy(sandbox, 'table'));
      return copy(sandbox, 'table/part.csv');
    },
  };
}

type Upload = 'uploadInputFiles' | 'uploadExpectedFiles';

/** A new example of the dataset with these files. */
async function madeExample(
  sandbox: Sandbox,
  operationId: Upload,
  filenames: readonly string[],
): Promise<Record<string, string>> {
  const automation = dataset(sandbox);
  const made = { path: automation, json: { name: 'made' } };
  const { body } = await sandbox.send('createDatasetExample', made);
  const path = { ...automation, exampleId: body.id };
  for (const filename of filenames) await sandbox.send(operationId, { path, form: 'a', filename });
  return path;
}

/** The conflict is with a folder of the name that the part of the form has. */
function uploads(operationId: Upload): Requests {
  const headers = { 'content-type': 'multipart/form-data; boundary=edge' };
  return {
    good: at(example, { form: 'hello' }),
    400: at(example, { raw: 'x', headers }),
    409: async (sandbox) => ({
      path: await madeExample(sandbox, operationId, ['note.txt/part.txt']),
      form: 'hello',
    }),
  };
}

/** Its workflow no longer exists. */
const UNIMPLEMENTED = 'workflows.fax-intake';

function experiments(json: object): Requests {
  return {
    good: at(dataset, { json }),
    400: at(dataset, { json: { batchConcurrency: 0 } }),
    404: at(dataset, { json: { examples: ['ex_no'] } }),
    409: { path: { id: UNIMPLEMENTED }, json: {} },
  };
}

const UPLOAD = { filename: 'note.txt', contentType: 'text/plain', size: 5 };
const YAML = 'evaluators: [{ type: exact_match }]';

const REQUESTS: Readonly<Record<string, Requests>> = {
  checkAuth: { good: {} },
  listDatasetReviewRequests: {
    good: { query: '?status=open' },
    400: { query: '?status=lost' },
  },
  updateDatasetReviewRequest: {
    good: at(review, { json: { title: 'Renamed' } }),
    400: at(review, { json: { title: 7 } }),
    409: (sandbox) => ({
      path: { ...review(sandbox), reviewId: sandbox.fixtures.closedReviewId },
      json: { title: 'Too late' },
    }),
  },
  listAutomations: {
    good: {},
    400: { query: '?type=robot' },
    404: { query: '?folderId=folder_no' },
  },
  getAutomation: { good: at(workflow) },
  moveAutomation: {
    good: at(workflow, { json: { folderPath: 'Responses' } }),
    400: ({ fixtures }) => ({ path: { id: fixtures.agentId }, json: { folderPath: 'A' } }),
    409: ({ fixtures }) => ({
      path: { id: fixtures.conflictingWorkflowId },
      json: { folderId: fixtures.conflictingFolderId },
    }),
  },
  renameExpectedFile: {
    good: at(expectedFile, { json: { newFilename: 'renamed.json' } }),
    400: at(expectedFile, { json: { newFilename: '..' } }),
    409: async (sandbox) => {
      const path = await madeExample(sandbox, 'uploadExpectedFiles', ['one.txt', 'two.txt']);
      return { path: { ...path, path: 'one.txt' }, json: { newFilename: 'two.txt' } };
    },
  },
  deleteInputFile: {
    good: at(inputFile),
    400: (sandbox) => ({ path: { ...example(sandbox), path: 'a//b' } }),
  },
  exportDataset: { good: at(dataset), 400: at(dataset, { query: '?exampleIds=,' }) },
  getExperiment: { good: at(experiment) },
  listTemplates: { good: { query: '?limit=1' }, 400: { query: '?limit=0' } },
  listAgents: { good: { query: '?limit=1' }, 400: { query: '?limit=0' } },
  listRuns: {
    good: ({ fixtures }) => ({ query: `?automationId=${fixtures.workflowId}` }),
    400: { query: '?limit=0' },
    404: { query: '?automationId=wf_no' },
  },
  startRun: {
    good: ({ fixtures }) => ({ json: { target: fixtures.workflowId } }),
    400: { json: {} },
    404: { json: { target: 'wf_no' } },
    409: { json: { target: UNIMPLEMENTED } },
  },
  cancelRun: {
    good: async ({ control, world }) => ({
      path: { id: (await control.run({ worldId: world.id })).id },
    }),
  },
  rerunRun: {
    good: at(run),
    400: { query: '?wait_for_completion=601' },
    409: async (sandbox) => {
      const { control, world } = sandbox;
      const { body } = await sandbox.send('getAutomation', { path: { id: UNIMPLEMENTED } });
      const { id } = await control.run({ worldId: world.id, automationId: body.id });
      return { path: { id } };
    },
  },
  listRunSteps: { good: at(run) },
  listRunEvents: { good: at(run) },
  getRunTrace: { good: at(run) },
  listRunScores: { good: at(run) },
  listRunArtifacts: { good: at(run) },
  downloadRunArtifact: {
    good: (sandbox) => ({
      path: { ...run(sandbox), path: `output/${sandbox.fixtures.outputFileName}` },
    }),
  },
  getRun: { good: at(run) },
  getRunApp: { good: at(run) },
  getRunUsage: { good: at(run) },
  getRunReview: { good: at(reviewedRun) },
  putRunReview: { good: at(run, { json: {} }), 400: at(run, { json: { verdict: 7 } }) },
  updateRunReview: {
    good: at(reviewedRun, { json: {} }),
    400: at(reviewedRun, { json: { status: 7 } }),
  },
  clearRunReviews: { good: at(reviewedRun) },
  listExpectedReviewFiles: { good: at(reviewedRun) },
  promoteRun: {
    good: at(run, { json: { name: 'made' } }),
    400: at(run, { json: { name: '' } }),
    409: async ({ control, world }) => ({
      path: { id: (await control.run({ worldId: world.id })).id },
      json: {},
    }),
  },
  addExpectedReviewFile: copies('addExpectedReviewFile'),
  getExpectedReviewFile: { good: (sandbox) => correctedFile(sandbox) },
  renameExpectedReviewFile: {
    good: (sandbox) => correctedFile(sandbox, { name: 'renamed.csv' }),
    400: (sandbox) => correctedFile(sandbox, { name: '..' }),
    409: async (sandbox) => {
      await sandbox.send('copyOutputToExpected', copy(sandbox, 'taken.csv'));
      return correctedFile(sandbox, { name: 'taken.csv' });
    },
  },
  deleteExpectedReviewFile: { good: (sandbox) => correctedFile(sandbox) },
  copyOutputToExpected: copies('copyOutputToExpected'),
  copyOutputToExpectedApp: copies('copyOutputToExpectedApp'),
  uploadFile: {
    good: { form: 'hello' },
    400: { raw: 'x', headers: { 'content-type': 'multipart/form-data; boundary=edge' } },
  },
  createFileUpload: {
    good: { json: UPLOAD },
    400: { json: { filename: 'note.txt' } },
    409: async (sandbox) => {
      const json = { ...UPLOAD, idempotencyKey: 'one' };
      await sandbox.send('createFileUpload', { json });
      return { json: { ...json, size: 6 } };
    },
  },
  completeFileUpload: {
    good: at(upload),
    409: ({ fixtures }) => ({ path: { uploadId: fixtures.emptyUploadId } }),
  },
  abortFileUpload: {
    good: at(upload),
    409: async (sandbox) => {
      await sandbox.send('completeFileUpload', { path: upload(sandbox) });
      return { path: upload(sandbox) };
    },
  },
  deleteFile: { good: at(file) },
  getFile: { good: at(file) },
  getFileContent: { good: at(file) },
  listAutomationVersions: { good: at(dataset), 400: at(dataset, { query: '?limit=0' }) },
  getAutomationTriggers: { good: at(dataset) },
  getEvaluators: { good: at(dataset) },
  replaceEvaluators: {
    good: at(dataset, { json: { yaml: YAML } }),
    400: at(dataset, { json: { yaml: '[' } }),
  },
  listDatasetExamples: { good: at(dataset), 400: at(dataset, { query: '?limit=0' }) },
  createDatasetExample: {
    good: at(dataset, { json: {} }),
    400: at(dataset, { json: { name: '' } }),
    409: (sandbox) => ({
      path: dataset(sandbox),
      json: { name: sandbox.fixtures.exampleName.toUpperCase() },
    }),
  },
  getDatasetExample: { good: at(example) },
  updateDatasetExample: {
    good: at(example, { json: {} }),
    400: at(example, { json: { rowOrder: -1 } }),
    409: async (sandbox) => {
      await madeExample(sandbox, 'uploadInputFiles', []);
      return { path: example(sandbox), json: { name: 'Made' } };
    },
  },
  deleteDatasetExample: { good: at(example) },
  listInputFiles: { good: at(example) },
  listExpectedFiles: { good: at(example) },
  uploadInputFiles: uploads('uploadInputFiles'),
  uploadExpectedFiles: uploads('uploadExpectedFiles'),
  downloadInputFile: { good: at(inputFile) },
  downloadExpectedFile: { good: at(expectedFile) },
  renameInputFile: {
    good: at(inputFile, { json: { newFilename: 'renamed.pdf' } }),
    400: at(inputFile, { json: { newFilename: '..' } }),
    409: async (sandbox) => {
      const path = example(sandbox);
      await sandbox.send('uploadInputFiles', { path, form: 'hello' });
      return { path: { ...path, path: 'note.pdf' }, json: { newFilename: 'NOTE.TXT' } };
    },
  },
  deleteExpectedFile: { good: at(expectedFile) },
  runDatasetExample: {
    good: at(example),
    409: async (sandbox) => {
      const path = { id: UNIMPLEMENTED };
      const { body } = await sandbox.send('createDatasetExample', { path, json: {} });
      return { path: { ...path, exampleId: body.id } };
    },
  },
  listExperiments: { good: at(dataset), 400: at(dataset, { query: '?limit=501' }) },
  createExperiment: experiments({}),
  streamExperiment: experiments({ examples: [] }),
  getExperimentDetail: { good: at(experiment) },
  cancelExperiment: { good: at(experiment) },
  exportExperiment: { good: at(experiment, { query: '?format=csv' }), 400: at(experiment) },
  exportExperiments: { good: at(dataset, { query: '?format=json' }), 400: at(dataset) },
};

/** Whether a route itself gives this refusal; else only a fault produces it. */
export function refusesItself(operationId: string, status: 400 | 404 | 409): boolean {
  const path = OPERATIONS.find((one) => one.operationId === operationId)?.path ?? '';
  if (REQUESTS[operationId]?.[status] !== undefined) return true;
  return status === 400 || (status === 404 && path.includes('{'));
}

/** The request of an operation that succeeds, or that gets one of these statuses. */
export async function requestOf(
  sandbox: Sandbox,
  operationId: string,
  status: 'good' | 400 | 404 | 409 = 'good',
): Promise<RequestParts> {
  const requests = REQUESTS[operationId];
  if (requests === undefined) throw new Error(`${operationId} has no requests`);
  const build = requests[status];
  if (build !== undefined) return typeof build === 'function' ? build(sandbox) : build;
  if (status === 400) return { query: '?x=%ff' };
  return { ...(await requestOf(sandbox, operationId)), path: {} };
}
