// Requests of the operations of automations, datasets and experiments.
import type { RequestParts, Sandbox } from './sandbox.ts';

type Path = Readonly<Record<string, string>>;
type Build = (sandbox: Sandbox) => RequestParts | Promise<RequestParts>;

const NO_FORM = { raw: 'x', headers: { 'content-type': 'multipart/form-data; boundary=edge' } };
const YAML = 'evaluators: [{ type: exact_match }]';

function dataset({ fixtures }: Sandbox): Path {
  return { id: fixtures.datasetAutomationId };
}

function example(sandbox: Sandbox): Path {
  return { ...dataset(sandbox), exampleId: sandbox.fixtures.exampleId };
}

function experiment(sandbox: Sandbox): Path {
  return { ...dataset(sandbox), experimentId: sandbox.fixtures.experimentId };
}

function inputFile(sandbox: Sandbox): Path {
  return { ...example(sandbox), path: sandbox.fixtures.inputFilePath };
}

function expectedFile(sandbox: Sandbox): Path {
  return { ...example(sandbox), path: sandbox.fixtures.expectedFilePath };
}

function at(path: (sandbox: Sandbox) => Path, parts: RequestParts = {}): Build {
  return (sandbox) => ({ path: path(sandbox), ...parts });
}

/** A request of each operation that succeeds in a new world. */
export const EVALUATION_GOOD: Readonly<Record<string, Build>> = {
  listAutomationVersions: at(dataset),
  getAutomationTriggers: at(dataset),
  getEvaluators: at(dataset),
  replaceEvaluators: at(dataset, { json: { yaml: YAML } }),
  listDatasetExamples: at(dataset),
  createDatasetExample: at(dataset, { json: {} }),
  getDatasetExample: at(example),
  updateDatasetExample: at(example, { json: {} }),
  deleteDatasetExample: at(example),
  listInputFiles: at(example),
  listExpectedFiles: at(example),
  uploadInputFiles: at(example, { form: 'hello' }),
  uploadExpectedFiles: at(example, { form: 'hello' }),
  downloadInputFile: at(inputFile),
  downloadExpectedFile: at(expectedFile),
  renameInputFile: at(inputFile, { json: { newFilename: 'renamed.pdf' } }),
  deleteExpectedFile: at(expectedFile),
  runDatasetExample: at(example),
  listExperiments: at(dataset),
  createExperiment: at(dataset, { json: {} }),
  streamExperiment: at(dataset, { json: { examples: [] } }),
  getExperimentDetail: at(experiment),
  cancelExperiment: at(experiment),
  exportExperiment: at(experiment, { query: '?format=csv' }),
  exportExperiments: at(dataset, { query: '?format=json' }),
};

const BROKEN_QUERY = { query: '?x=%ff' };
const LOST: RequestParts = {
  path: { id: 'wf_no', exampleId: 'ex_no', experimentId: 'exp_no', path: 'lost' },
};

/** By operation and status, the requests that get 400, 404 and 409 without a fault. */
export const EVALUATION_BAD: Readonly<
  Record<string, Readonly<Partial<Record<400 | 404 | 409, Build>>>>
> = {
  listAutomationVersions: { 400: at(dataset, { query: '?limit=0' }), 404: () => LOST },
  getAutomationTriggers: { 400: at(dataset, BROKEN_QUERY), 404: () => LOST },
  getEvaluators: { 400: at(dataset, BROKEN_QUERY), 404: () => LOST },
  replaceEvaluators: {
    400: at(dataset, { json: { yaml: '[' } }),
    404: () => ({ ...LOST, json: { yaml: YAML } }),
  },
  listDatasetExamples: { 400: at(dataset, { query: '?limit=0' }), 404: () => LOST },
  createDatasetExample: {
    400: at(dataset, { json: { name: '' } }),
    404: () => ({ ...LOST, json: {} }),
    409: (sandbox) => ({
      path: dataset(sandbox),
      json: { name: sandbox.fixtures.exampleName.toUpperCase() },
    }),
  },
  getDatasetExample: { 400: at(example, BROKEN_QUERY), 404: () => LOST },
  updateDatasetExample: {
    400: at(example, { json: { rowOrder: -1 } }),
    404: () => ({ ...LOST, json: {} }),
    409: async (sandbox) => {
      await sandbox.send('createDatasetExample', {
        path: dataset(sandbox),
        json: { name: 'taken' },
      });
      return { path: example(sandbox), json: { name: 'Taken' } };
    },
  },
  deleteDatasetExample: { 400: at(example, BROKEN_QUERY), 404: () => LOST },
  listInputFiles: { 400: at(example, BROKEN_QUERY), 404: () => LOST },
  listExpectedFiles: { 400: at(example, BROKEN_QUERY), 404: () => LOST },
  uploadInputFiles: uploads('uploadInputFiles'),
  uploadExpectedFiles: uploads('uploadExpectedFiles'),
  downloadInputFile: { 400: at(inputFile, BROKEN_QUERY), 404: () => LOST },
  downloadExpectedFile: { 400: at(expectedFile, BROKEN_QUERY), 404: () => LOST },
  renameInputFile: {
    400: at(inputFile, { json: { newFilename: '..' } }),
    404: () => ({ ...LOST, json: { newFilename: 'a' } }),
    409: async (sandbox) => {
      const path = example(sandbox);
      await sandbox.send('uploadInputFiles', { path, form: 'hello' });
      return { path: { ...path, path: 'note.pdf' }, json: { newFilename: 'NOTE.TXT' } };
    },
  },
  deleteExpectedFile: { 400: at(expectedFile, BROKEN_QUERY), 404: () => LOST },
  runDatasetExample: { 400: at(example, BROKEN_QUERY), 404: () => LOST, 409: unimplemented() },
  listExperiments: { 400: at(dataset, { query: '?limit=501' }), 404: () => LOST },
  createExperiment: starts(),
  streamExperiment: starts(),
  getExperimentDetail: { 400: at(experiment, BROKEN_QUERY), 404: () => LOST },
  cancelExperiment: { 400: at(experiment, BROKEN_QUERY), 404: () => LOST },
  exportExperiment: {
    400: at(experiment),
    404: () => ({ ...LOST, query: '?format=csv' }),
  },
  exportExperiments: { 400: at(dataset), 404: () => ({ ...LOST, query: '?format=csv' }) },
};

const UNIMPLEMENTED = 'workflows.fax-intake';

function starts(): Record<400 | 404 | 409, Build> {
  return {
    400: at(dataset, { json: { batchConcurrency: 0 } }),
    404: at(dataset, { json: { examples: ['ex_no'] } }),
    409: () => ({ path: { id: UNIMPLEMENTED }, json: {} }),
  };
}

/** An example of an automation without an implementation. */
function unimplemented(): Build {
  return async (sandbox) => {
    const path = { id: UNIMPLEMENTED };
    const { body } = await sandbox.send('createDatasetExample', { path, json: {} });
    return { path: { ...path, exampleId: body.id } };
  };
}

/** A folder of the name that the part of the form has. */
function uploads(operationId: string): Record<400 | 404 | 409, Build> {
  return {
    400: at(example, NO_FORM),
    404: () => ({ ...LOST, form: 'hello' }),
    409: async (sandbox) => {
      const path = example(sandbox);
      const folder = operationId === 'uploadInputFiles' ? 'input' : 'expected';
      const { id, automationId } = await sandbox.control.expectOk<Record<string, string>>(
        201,
        '/examples',
        {
          worldId: sandbox.world.id,
          name: 'folder',
          automationId: path['id'],
          [folder]: [{ path: 'note.txt/part.txt', text: 'below' }],
        },
      );
      return { path: { id: automationId ?? '', exampleId: id ?? '' }, form: 'hello' };
    },
  };
}

/** Documented responses that only a fault produces. */
export const EVALUATION_INJECTED: Readonly<Record<string, readonly number[]>> = {
  replaceEvaluators: [409],
  deleteDatasetExample: [409],
  deleteExpectedFile: [409],
  cancelExperiment: [409],
};
