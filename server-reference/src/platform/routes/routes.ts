import { listAgents } from './agents.ts';
import { checkAuth } from './auth.ts';
import { cachedList } from './cached-list.ts';
import { exportExperiment, exportExperiments } from './experiment-exports.ts';
import {
  cancelExperiment,
  createExperiment,
  getExperiment,
  getExperimentDetail,
  listExperiments,
  runDatasetExample,
  streamExperiment,
} from './experiments.ts';
import { listTemplates } from './templates.ts';
import {
  addExpectedReviewFile,
  copyOutputToExpected,
  deleteExpectedReviewFile,
  getExpectedReviewFile,
  listExpectedReviewFiles,
  renameExpectedReviewFile,
} from './corrected-files.ts';
import { deleteFile, getFile, getFileContent, uploadFile } from './files.ts';
import { getAutomationTriggers, listAutomationVersions } from './automation-versions.ts';
import { getAutomation, listAutomations, moveAutomation } from './automations.ts';
import { exportDataset, importDataset } from './datasets.ts';
import { getEvaluators, replaceEvaluators } from './evaluators.ts';
import {
  deleteExampleFile,
  downloadExampleFile,
  listExampleFiles,
  renameExampleFile,
  uploadExampleFiles,
} from './example-files.ts';
import {
  createDatasetExample,
  deleteDatasetExample,
  getDatasetExample,
  listDatasetExamples,
  updateDatasetExample,
} from './examples.ts';
import { listReviewRequests, updateReviewRequest } from './reviews.ts';
import { clearRunReviews, getRunReview, putRunReview, updateRunReview } from './run-reviews.ts';
import { cancelRun } from './cancel-run.ts';
import { listRuns } from './list-runs.ts';
import { rerunRun } from './rerun-run.ts';
import { downloadRunArtifact, listRunArtifacts } from './run-artifacts.ts';
import {
  getRun,
  getRunTrace,
  getRunUsage,
  listRunEvents,
  listRunScores,
  listRunSteps,
} from './runs.ts';
import { promoteRun } from './promote-run.ts';
import type { Handler, Services } from './services.ts';
import { startRun } from './start-run.ts';
import { abortFileUpload, completeFileUpload, createFileUpload } from './uploads.ts';

/** Returns the handlers of all operations, keyed by operationId. */
export function apiHandlers(services: Services): Readonly<Record<string, Handler>> {
  return {
    checkAuth: checkAuth(services),
    listDatasetReviewRequests: cachedList(services, listReviewRequests(services)),
    updateDatasetReviewRequest: updateReviewRequest(services),
    listAutomations: cachedList(services, listAutomations(services)),
    getAutomation: getAutomation(services),
    moveAutomation: moveAutomation(services),
    ...evaluationHandlers(services),
    listTemplates: cachedList(services, listTemplates(services)),
    listAgents: cachedList(services, listAgents(services)),
    ...runHandlers(services),
    getRunReview: getRunReview(services),
    putRunReview: putRunReview(services),
    updateRunReview: updateRunReview(services),
    clearRunReviews: clearRunReviews(services),
    listExpectedReviewFiles: listExpectedReviewFiles(services),
    addExpectedReviewFile: addExpectedReviewFile(services),
    getExpectedReviewFile: getExpectedReviewFile(services),
    renameExpectedReviewFile: renameExpectedReviewFile(services),
    deleteExpectedReviewFile: deleteExpectedReviewFile(services),
    promoteRun: promoteRun(services),
    copyOutputToExpected: copyOutputToExpected(services),
    copyOutputToExpectedApp: copyOutputToExpected(services),
    uploadFile: uploadFile(services),
    createFileUpload: createFileUpload(services),
    completeFileUpload: completeFileUpload(services),
    abortFileUpload: abortFileUpload(services),
    getFile: getFile(services),
    getFileContent: getFileContent(services),
    deleteFile: deleteFile(services),
  };
}

function runHandlers(services: Services): Readonly<Record<string, Handler>> {
  return {
    listRuns: cachedList(services, listRuns(services)),
    startRun: startRun(services),
    cancelRun: cancelRun(services),
    rerunRun: rerunRun(services),
    listRunSteps: listRunSteps(services),
    listRunEvents: listRunEvents(services),
    getRunTrace: getRunTrace(services),
    listRunScores: listRunScores(services),
    listRunArtifacts: listRunArtifacts(services),
    downloadRunArtifact: downloadRunArtifact(services),
    getRun: getRun(services),
    getRunApp: getRun(services),
    getRunUsage: getRunUsage(services),
  };
}

/** Returns the handlers of evaluators, datasets and experiments. */
function evaluationHandlers(services: Services): Readonly<Record<string, Handler>> {
  return {
    listAutomationVersions: listAutomationVersions(services),
    getAutomationTriggers: getAutomationTriggers(services),
    getEvaluators: getEvaluators(services),
    replaceEvaluators: replaceEvaluators(services),
    listDatasetExamples: listDatasetExamples(services),
    createDatasetExample: createDatasetExample(services),
    getDatasetExample: getDatasetExample(services),
    updateDatasetExample: updateDatasetExample(services),
    deleteDatasetExample: deleteDatasetExample(services),
    listInputFiles: listExampleFiles(services, 'input'),
    listExpectedFiles: listExampleFiles(services, 'expected'),
    uploadInputFiles: uploadExampleFiles(services, 'input'),
    uploadExpectedFiles: uploadExampleFiles(services, 'expected'),
    downloadInputFile: downloadExampleFile(services, 'input'),
    downloadExpectedFile: downloadExampleFile(services, 'expected'),
    renameInputFile: renameExampleFile(services, 'input'),
    renameExpectedFile: renameExampleFile(services, 'expected'),
    deleteInputFile: deleteExampleFile(services, 'input'),
    deleteExpectedFile: deleteExampleFile(services, 'expected'),
    runDatasetExample: runDatasetExample(services),
    exportDataset: exportDataset(services),
    importDataset: importDataset(services),
    getExperiment: getExperiment(services),
    listExperiments: listExperiments(services),
    createExperiment: createExperiment(services),
    streamExperiment: streamExperiment(services),
    getExperimentDetail: getExperimentDetail(services),
    cancelExperiment: cancelExperiment(services),
    exportExperiment: exportExperiment(services),
    exportExperiments: exportExperiments(services),
  };
}
