/** A row of the table of companion operations. */
export type CompanionRow = [parameters: string[], body: string, success: string];

const ID = 'path id! string';
const EXAMPLE = [ID, 'path exampleId! string'];
const EXPERIMENT = [ID, 'path experimentId! string'];
const EXPORT = ['query format! ExperimentFormat', 'query includeTrace string'];
const OFFSET = 'query offset integer 0..9007199254740991';
const PAGE = ['query limit integer 1..100', OFFSET];

/** The companion operations of automations, datasets and experiments. */
export const EVALUATION_COMPANIONS: Readonly<Record<string, CompanionRow>> = {
  'getAutomation GET /v1/automations/{id}': [[ID], 'none', '200 Automation'],
  'listAutomationVersions GET /v1/automations/{id}/versions': [
    [ID, ...PAGE],
    'none',
    '200 AutomationVersionList',
  ],
  'getAutomationTriggers GET /v1/automations/{id}/triggers': [[ID], 'none', '200 TriggerSettings'],
  'getEvaluators GET /v1/automations/{id}/evaluators': [[ID], 'none', '200 Evaluators'],
  'replaceEvaluators PUT /v1/automations/{id}/evaluators': [
    [ID],
    'EvaluatorsUpdate, required',
    '200 Evaluators',
  ],
  'listDatasetExamples GET /v1/automations/{id}/examples': [
    [ID, ...PAGE],
    'none',
    '200 DatasetExampleList',
  ],
  'createDatasetExample POST /v1/automations/{id}/examples': [
    [ID],
    'DatasetExampleWrite, required',
    '201 DatasetExample',
  ],
  'getDatasetExample GET /v1/automations/{id}/examples/{exampleId}': [
    EXAMPLE,
    'none',
    '200 DatasetExample',
  ],
  'updateDatasetExample PATCH /v1/automations/{id}/examples/{exampleId}': [
    EXAMPLE,
    'DatasetExampleWrite, required',
    '200 DatasetExample',
  ],
  'deleteDatasetExample DELETE /v1/automations/{id}/examples/{exampleId}': [
    EXAMPLE,
    'none',
    '200 DatasetExample',
  ],
  'listExpectedFiles GET /v1/automations/{id}/examples/{exampleId}/expected': [
    EXAMPLE,
    'none',
    '200 ExampleFileList',
  ],
  'uploadExpectedFiles POST /v1/automations/{id}/examples/{exampleId}/expected': [
    EXAMPLE,
    'form ExampleFilesForm, required',
    '201 ExampleFilesUploaded',
  ],
  'listInputFiles GET /v1/automations/{id}/examples/{exampleId}/input': [
    EXAMPLE,
    'none',
    '200 ExampleFileList',
  ],
  'uploadInputFiles POST /v1/automations/{id}/examples/{exampleId}/input': [
    EXAMPLE,
    'form ExampleFilesForm, required',
    '201 ExampleFilesUploaded',
  ],
  'downloadExpectedFile GET /v1/automations/{id}/examples/{exampleId}/expected/{path}': [
    [...EXAMPLE, 'path path!/ string'],
    'none',
    '200 bytes, 206 bytes, 304 no body',
  ],
  'deleteExpectedFile DELETE /v1/automations/{id}/examples/{exampleId}/expected/{path}': [
    [...EXAMPLE, 'path path!/ string'],
    'none',
    '204 no body',
  ],
  'downloadInputFile GET /v1/automations/{id}/examples/{exampleId}/input/{path}': [
    [...EXAMPLE, 'path path!/ string'],
    'none',
    '200 bytes, 206 bytes, 304 no body',
  ],
  'renameInputFile PATCH /v1/automations/{id}/examples/{exampleId}/input/{path}': [
    [...EXAMPLE, 'path path!/ string'],
    'ExpectedFileRename, required',
    '200 ExpectedFileRenamed',
  ],
  'listAutomations GET /v1/automations': [
    ['query search string', 'query type AutomationType', 'query folderId string', ...PAGE],
    'none',
    '200 AutomationList',
  ],
  'runDatasetExample POST /v1/automations/{id}/examples/{exampleId}/run': [
    EXAMPLE,
    'none',
    '201 ExampleRun',
  ],
  'listExperiments GET /v1/automations/{id}/experiments': [
    [ID, 'query limit integer 1..500', OFFSET, 'query fromDate string', 'query toDate string'],
    'none',
    '200 ExperimentList',
  ],
  'createExperiment POST /v1/automations/{id}/experiments': [
    [ID],
    'ExperimentStart, required',
    '202 ExperimentStarted',
  ],
  'exportExperiments GET /v1/automations/{id}/experiments/export': [
    [ID, ...EXPORT],
    'none',
    '200 ExperimentResult[] or bytes',
  ],
  'streamExperiment POST /v1/automations/{id}/experiments/stream': [
    [ID],
    'ExperimentStart, required',
    '200 bytes',
  ],
  'getExperimentDetail GET /v1/automations/{id}/experiments/{experimentId}': [
    EXPERIMENT,
    'none',
    '200 ExperimentDetail',
  ],
  'cancelExperiment POST /v1/automations/{id}/experiments/{experimentId}/cancel': [
    EXPERIMENT,
    'none',
    '200 ExperimentDetail',
  ],
  'exportExperiment GET /v1/automations/{id}/experiments/{experimentId}/export': [
    [...EXPERIMENT, ...EXPORT],
    'none',
    '200 ExperimentResult[] or bytes',
  ],
};
