import type { Requirements } from '../api/auth/api-key.ts';
import { deleteExampleFile, renameExampleFile } from '../api/datasets/example-files.ts';
import type { Handler, Services } from '../api/services.ts';
import { downloadRunArtifact, listRunArtifacts } from './artifacts/artifacts.ts';
import {
  getAutomation,
  getAutomationTriggers,
  listAutomations,
  listAutomationVersions,
} from './automations/automations.ts';
import { getEvaluators, replaceEvaluators } from './evaluators/evaluators.ts';
import {
  downloadExampleFile,
  listExampleFiles,
  uploadExampleFiles,
} from './examples/example-files.ts';
import {
  createDatasetExample,
  deleteDatasetExample,
  getDatasetExample,
  listDatasetExamples,
  updateDatasetExample,
} from './examples/examples.ts';
import {
  cancelExperiment,
  createExperiment,
  getExperimentDetail,
  listExperiments,
  runDatasetExample,
  streamExperiment,
} from './experiments/experiments.ts';
import { exportExperiment, exportExperiments } from './experiments/export-experiments.ts';
import { deleteFile, uploadFile } from './files/files.ts';
import { abortFileUpload, createFileUpload } from './files/uploads.ts';
import {
  addExpectedReviewFile,
  deleteExpectedReviewFile,
  getExpectedReviewFile,
  renameExpectedReviewFile,
} from './run-reviews/corrected-files.ts';
import { promoteRun } from './run-reviews/promote-run.ts';
import { getRunReview, putRunReview, updateRunReview } from './run-reviews/run-reviews.ts';
import { cancelRun } from './runs/cancel-run.ts';
import { listRuns } from './runs/list-runs.ts';
import { rerunRun } from './runs/rerun-run.ts';
import { getRunTrace, listRunEvents, listRunScores, listRunSteps } from './runs/run-history.ts';
import { startRun } from './runs/start-run.ts';

/** Returns the handlers of the companions, by operationId: what clients of the platform call beyond the contract. */
export function companionHandlers(services: Services): Readonly<Record<string, Handler>> {
  return {
    listAutomations: listAutomations(services),
    getAutomation: getAutomation(services),
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
    deleteExpectedFile: deleteExampleFile(services, 'expected'),
    runDatasetExample: runDatasetExample(services),
    listExperiments: listExperiments(services),
    createExperiment: createExperiment(services),
    streamExperiment: streamExperiment(services),
    getExperimentDetail: getExperimentDetail(services),
    cancelExperiment: cancelExperiment(services),
    exportExperiment: exportExperiment(services),
    exportExperiments: exportExperiments(services),
    listRuns: listRuns(services),
    startRun: startRun(services),
    cancelRun: cancelRun(services),
    rerunRun: rerunRun(services),
    listRunSteps: listRunSteps(services),
    listRunEvents: listRunEvents(services),
    getRunTrace: getRunTrace(services),
    listRunScores: listRunScores(services),
    listRunArtifacts: listRunArtifacts(services),
    downloadRunArtifact: downloadRunArtifact(services),
    getRunReview: getRunReview(services),
    putRunReview: putRunReview(services),
    updateRunReview: updateRunReview(services),
    addExpectedReviewFile: addExpectedReviewFile(services),
    getExpectedReviewFile: getExpectedReviewFile(services),
    renameExpectedReviewFile: renameExpectedReviewFile(services),
    deleteExpectedReviewFile: deleteExpectedReviewFile(services),
    promoteRun: promoteRun(services),
    uploadFile: uploadFile(services),
    deleteFile: deleteFile(services),
    createFileUpload: createFileUpload(services),
    abortFileUpload: abortFileUpload(services),
  };
}

/** What each companion requires of a key. */
export const COMPANION_REQUIREMENTS: Requirements = {
  listAutomations: 'workflow:read',
  getAutomation: 'workflow:read',
  listAutomationVersions: 'workflow:read',
  getAutomationTriggers: 'workflow:read',
  getEvaluators: 'workflow:read',
  replaceEvaluators: 'workflow:write',
  listDatasetExamples: 'workflow:read',
  createDatasetExample: 'workflow:write',
  getDatasetExample: 'workflow:read',
  updateDatasetExample: 'workflow:write',
  deleteDatasetExample: 'workflow:write',
  listInputFiles: 'workflow:read',
  listExpectedFiles: 'workflow:read',
  uploadInputFiles: 'workflow:write',
  uploadExpectedFiles: 'workflow:write',
  downloadInputFile: 'workflow:read',
  downloadExpectedFile: 'workflow:read',
  renameInputFile: 'workflow:write',
  deleteExpectedFile: 'workflow:write',
  runDatasetExample: 'run:write',
  listExperiments: 'workflow:read',
  createExperiment: 'run:write',
  streamExperiment: 'run:write',
  getExperimentDetail: 'workflow:read',
  cancelExperiment: 'run:write',
  exportExperiment: 'workflow:read',
  exportExperiments: 'workflow:read',
  listRuns: 'workflow:read',
  startRun: 'run:write',
  cancelRun: 'run:write',
  rerunRun: 'run:write',
  listRunSteps: 'workflow:read',
  listRunEvents: 'workflow:read',
  getRunTrace: 'workflow:read',
  listRunScores: 'workflow:read',
  listRunArtifacts: 'workflow:read',
  downloadRunArtifact: 'workflow:read',
  getRunReview: 'workflow:read',
  putRunReview: 'run_review:write',
  updateRunReview: 'run_review:write',
  addExpectedReviewFile: 'run_review:write',
  getExpectedReviewFile: 'workflow:read',
  renameExpectedReviewFile: 'run_review:write',
  deleteExpectedReviewFile: 'run_review:write',
  promoteRun: 'run_review:write',
  uploadFile: 'file:write',
  deleteFile: 'file:write',
  createFileUpload: 'file:write',
  abortFileUpload: 'file:write',
};
