import { cachedReads, readsOpenRun } from './cached-reads.ts';
import type { CacheRead } from './cached-reads.ts';
import type { LoadHandler, Services } from './services.ts';

// Each file is loaded at the first request that needs it. A start needs none of them.
const agents = () => import('./agents.ts');
const auth = () => import('./auth.ts');
const automationVersions = () => import('./automation-versions.ts');
const automations = () => import('./automations.ts');
const cancelRun = () => import('./cancel-run.ts');
const correctedFiles = () => import('./corrected-files.ts');
const datasets = () => import('./datasets.ts');
const evaluators = () => import('./evaluators.ts');
const exampleFiles = () => import('./example-files.ts');
const examples = () => import('./examples.ts');
const experimentExports = () => import('./experiment-exports.ts');
const experiments = () => import('./experiments.ts');
const files = () => import('./files.ts');
const listRuns = () => import('./list-runs.ts');
const promoteRun = () => import('./promote-run.ts');
const rerunRun = () => import('./rerun-run.ts');
const reviews = () => import('./reviews.ts');
const runArtifacts = () => import('./run-artifacts.ts');
const runReviews = () => import('./run-reviews.ts');
const runs = () => import('./runs.ts');
const startRun = () => import('./start-run.ts');
const templates = () => import('./templates.ts');
const uploads = () => import('./uploads.ts');

/** Returns what loads the handlers of all operations, keyed by operationId. */
export function apiHandlers(services: Services): Readonly<Record<string, LoadHandler>> {
  const cached = cachedReads(services);
  return {
    checkAuth: async () => (await auth()).checkAuth(services),
    listDatasetReviewRequests: async () => cached((await reviews()).listReviewRequests(services)),
    updateDatasetReviewRequest: async () => (await reviews()).updateReviewRequest(services),
    listAutomations: async () => cached((await automations()).listAutomations(services)),
    getAutomation: async () => (await automations()).getAutomation(services),
    moveAutomation: async () => (await automations()).moveAutomation(services),
    ...evaluationHandlers(services, cached),
    listTemplates: async () => cached((await templates()).listTemplates(services)),
    listAgents: async () => cached((await agents()).listAgents(services)),
    ...runHandlers(services, cached),
    getRunReview: async () => cached((await runReviews()).getRunReview(services)),
    putRunReview: async () => (await runReviews()).putRunReview(services),
    updateRunReview: async () => (await runReviews()).updateRunReview(services),
    clearRunReviews: async () => (await runReviews()).clearRunReviews(services),
    listExpectedReviewFiles: async () => (await correctedFiles()).listExpectedReviewFiles(services),
    addExpectedReviewFile: async () => (await correctedFiles()).addExpectedReviewFile(services),
    getExpectedReviewFile: async () => (await correctedFiles()).getExpectedReviewFile(services),
    renameExpectedReviewFile: async () =>
      (await correctedFiles()).renameExpectedReviewFile(services),
    deleteExpectedReviewFile: async () =>
      (await correctedFiles()).deleteExpectedReviewFile(services),
    promoteRun: async () => (await promoteRun()).promoteRun(services),
    copyOutputToExpected: async () => (await correctedFiles()).copyOutputToExpected(services),
    copyOutputToExpectedApp: async () => (await correctedFiles()).copyOutputToExpected(services),
    uploadFile: async () => (await files()).uploadFile(services),
    createFileUpload: async () => (await uploads()).createFileUpload(services),
    completeFileUpload: async () => (await uploads()).completeFileUpload(services),
    abortFileUpload: async () => (await uploads()).abortFileUpload(services),
    getFile: async () => (await files()).getFile(services),
    getFileContent: async () => (await files()).getFileContent(services),
    deleteFile: async () => (await files()).deleteFile(services),
  };
}

function runHandlers(services: Services, cached: CacheRead): Readonly<Record<string, LoadHandler>> {
  const isOpen = readsOpenRun(services);
  return {
    listRuns: async () => cached((await listRuns()).listRuns(services)),
    startRun: async () => (await startRun()).startRun(services),
    cancelRun: async () => (await cancelRun()).cancelRun(services),
    rerunRun: async () => (await rerunRun()).rerunRun(services),
    listRunSteps: async () => cached((await runs()).listRunSteps(services), isOpen),
    listRunEvents: async () => (await runs()).listRunEvents(services),
    getRunTrace: async () => cached((await runs()).getRunTrace(services), isOpen),
    listRunScores: async () => (await runs()).listRunScores(services),
    listRunArtifacts: async () => cached((await runArtifacts()).listRunArtifacts(services), isOpen),
    downloadRunArtifact: async () => (await runArtifacts()).downloadRunArtifact(services),
    getRun: async () => cached((await runs()).getRun(services), isOpen),
    getRunApp: async () => cached((await runs()).getRun(services), isOpen),
    getRunUsage: async () => (await runs()).getRunUsage(services),
  };
}

/** Returns the handlers of evaluators, datasets and experiments. */
function evaluationHandlers(
  services: Services,
  cached: CacheRead,
): Readonly<Record<string, LoadHandler>> {
  return {
    listAutomationVersions: async () =>
      (await automationVersions()).listAutomationVersions(services),
    getAutomationTriggers: async () => (await automationVersions()).getAutomationTriggers(services),
    getEvaluators: async () => (await evaluators()).getEvaluators(services),
    replaceEvaluators: async () => (await evaluators()).replaceEvaluators(services),
    listDatasetExamples: async () => (await examples()).listDatasetExamples(services),
    createDatasetExample: async () => (await examples()).createDatasetExample(services),
    getDatasetExample: async () => (await examples()).getDatasetExample(services),
    updateDatasetExample: async () => (await examples()).updateDatasetExample(services),
    deleteDatasetExample: async () => (await examples()).deleteDatasetExample(services),
    listInputFiles: async () => (await exampleFiles()).listExampleFiles(services, 'input'),
    listExpectedFiles: async () => (await exampleFiles()).listExampleFiles(services, 'expected'),
    uploadInputFiles: async () => (await exampleFiles()).uploadExampleFiles(services, 'input'),
    uploadExpectedFiles: async () =>
      (await exampleFiles()).uploadExampleFiles(services, 'expected'),
    downloadInputFile: async () => (await exampleFiles()).downloadExampleFile(services, 'input'),
    downloadExpectedFile: async () =>
      (await exampleFiles()).downloadExampleFile(services, 'expected'),
    renameInputFile: async () => (await exampleFiles()).renameExampleFile(services, 'input'),
    renameExpectedFile: async () => (await exampleFiles()).renameExampleFile(services, 'expected'),
    deleteInputFile: async () => (await exampleFiles()).deleteExampleFile(services, 'input'),
    deleteExpectedFile: async () => (await exampleFiles()).deleteExampleFile(services, 'expected'),
    runDatasetExample: async () => (await experiments()).runDatasetExample(services),
    exportDataset: async () => cached((await datasets()).exportDataset(services)),
    importDataset: async () => (await datasets()).importDataset(services),
    getExperiment: async () => (await experiments()).getExperiment(services),
    listExperiments: async () => (await experiments()).listExperiments(services),
    createExperiment: async () => (await experiments()).createExperiment(services),
    streamExperiment: async () => (await experiments()).streamExperiment(services),
    getExperimentDetail: async () => (await experiments()).getExperimentDetail(services),
    cancelExperiment: async () => (await experiments()).cancelExperiment(services),
    exportExperiment: async () => cached((await experimentExports()).exportExperiment(services)),
    exportExperiments: async () => cached((await experimentExports()).exportExperiments(services)),
  };
}
