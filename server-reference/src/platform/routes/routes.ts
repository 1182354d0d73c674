import { listAgents } from './agents.ts';
import { checkAuth } from './auth.ts';
import { getExperiment } from './experiments.ts';
import { listTemplates } from './templates.ts';
import { getAutomation, listAutomations, moveAutomation } from './automations.ts';
import { deleteInputFile, exportDataset, renameExpectedFile } from './datasets.ts';
import { getFile, getFileContent, uploadFile } from './files.ts';
import { listReviewRequests, updateReviewRequest } from './reviews.ts';
import { clearRunReviews, copyOutputToExpected, listExpectedReviewFiles } from './run-reviews.ts';
import { cancelRun, getRun, getRunUsage, listRuns } from './runs.ts';
import type { Handler, Services } from './services.ts';
import { startRun } from './start-run.ts';
import { completeFileUpload, createFileUpload } from './uploads.ts';

/** Returns the handlers of all operations, keyed by operationId. */
export function apiHandlers(services: Services): Readonly<Record<string, Handler>> {
  return {
    checkAuth: checkAuth(services),
    listDatasetReviewRequests: listReviewRequests(services),
    updateDatasetReviewRequest: updateReviewRequest(services),
    listAutomations: listAutomations(services),
    getAutomation: getAutomation(services),
    moveAutomation: moveAutomation(services),
    renameExpectedFile: renameExpectedFile(services),
    deleteInputFile: deleteInputFile(services),
    exportDataset: exportDataset(services),
    getExperiment: getExperiment(services),
    listTemplates: listTemplates(services),
    listAgents: listAgents(services),
    listRuns: listRuns(services),
    startRun: startRun(services),
    cancelRun: cancelRun(services),
    getRun: getRun(services),
    getRunApp: getRun(services),
    getRunUsage: getRunUsage(services),
    clearRunReviews: clearRunReviews(services),
    listExpectedReviewFiles: listExpectedReviewFiles(services),
    copyOutputToExpected: copyOutputToExpected(services),
    copyOutputToExpectedApp: copyOutputToExpected(services),
    uploadFile: uploadFile(services),
    createFileUpload: createFileUpload(services),
    completeFileUpload: completeFileUpload(services),
    getFile: getFile(services),
    getFileContent: getFileContent(services),
  };
}
