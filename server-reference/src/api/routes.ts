import type { Requirements } from './auth/api-key.ts';
import { listAgents } from './agents/agents.ts';
import { checkAuth } from './auth/check-auth.ts';
import { moveAutomation } from './automations/move-automation.ts';
import { deleteExampleFile, renameExampleFile } from './datasets/example-files.ts';
import { exportDataset } from './datasets/export-dataset.ts';
import { getExperiment } from './experiments/experiment.ts';
import { getFile, getFileContent } from './files/get-file.ts';
import { completeFileUpload } from './files/uploads.ts';
import { listReviewRequests, updateReviewRequest } from './reviews/reviews.ts';
import { copyOutputToExpected, listExpectedReviewFiles } from './runs/corrected-files.ts';
import { clearRunReviews } from './runs/run-reviews.ts';
import { getRun, getRunUsage } from './runs/runs.ts';
import type { Handler, Services } from './services.ts';
import { listTemplates } from './templates/templates.ts';

/** Returns the handlers of the operations of the contract, by operationId. */
export function contractHandlers(services: Services): Readonly<Record<string, Handler>> {
  return {
    checkAuth: checkAuth(services),
    listDatasetReviewRequests: listReviewRequests(services),
    updateDatasetReviewRequest: updateReviewRequest(services),
    moveAutomation: moveAutomation(services),
    renameExpectedFile: renameExampleFile(services, 'expected'),
    deleteInputFile: deleteExampleFile(services, 'input'),
    exportDataset: exportDataset(services),
    getExperiment: getExperiment(services),
    getRun: getRun(services),
    getRunApp: getRun(services),
    getRunUsage: getRunUsage(services),
    clearRunReviews: clearRunReviews(services),
    listExpectedReviewFiles: listExpectedReviewFiles(services),
    copyOutputToExpected: copyOutputToExpected(services),
    copyOutputToExpectedApp: copyOutputToExpected(services),
    completeFileUpload: completeFileUpload(services),
    getFile: getFile(services),
    getFileContent: getFileContent(services),
    listTemplates: listTemplates(services),
    listAgents: listAgents(services),
  };
}

/**
 * What each operation of the contract requires of a key. The contract defines the scopes of the inbox; the others are
 * a choice of this server.
 */
export const CONTRACT_REQUIREMENTS: Requirements = {
  checkAuth: 'any key',
  listDatasetReviewRequests: 'dataset_review:read',
  updateDatasetReviewRequest: 'dataset_review:write',
  moveAutomation: 'workflow:write',
  renameExpectedFile: 'workflow:write',
  deleteInputFile: 'workflow:write',
  exportDataset: 'workflow:read',
  getExperiment: 'workflow:read',
  getRun: 'workflow:read',
  getRunApp: 'workflow:read',
  getRunUsage: 'workflow:read',
  clearRunReviews: 'run_review:write',
  listExpectedReviewFiles: 'workflow:read',
  copyOutputToExpected: 'run_review:write',
  copyOutputToExpectedApp: 'run_review:write',
  completeFileUpload: 'file:write',
  getFile: 'file:read',
  getFileContent: 'file:read',
  listTemplates: 'workflow:read',
  listAgents: 'workflow:read',
};
